import { embeddedServer } from '../../../events/server/embedded.js'

/** A program that opens the home it is given and prints the process id of the server. */
const [home = ''] = process.argv.slice(2)
const { server } = await embeddedServer(home)
process.stdout.write(`${server}\n`)
