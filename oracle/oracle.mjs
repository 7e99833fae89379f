#!/usr/bin/env node
import '../dist/oracle/main.js'
