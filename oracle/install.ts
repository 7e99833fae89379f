import { installBrowsers } from './install/install-browsers.js'

// What the set-up runs once everything is built: `node dist/oracle/install.js`.
process.exitCode = await installBrowsers((line) => void process.stdout.write(`${line}\n`))
