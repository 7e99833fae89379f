#!/usr/bin/env node
import { main } from '../dist/oracle/main.js'

process.exit(await main())
