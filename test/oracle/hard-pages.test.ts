import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { engines } from '../../domain/engine.js'
import { type Answer, type RawDump, startOracle } from './support/oracle-process.js'

const oracle = startOracle()
let asked = 0
const ask = (html: string): Promise<Answer> => {
  asked += 1
  return oracle.ask({ id: `page-${asked}`, html: `<!doctype html>${html}` })
}
const dumpsOf = async (html: string): Promise<ReadonlyArray<RawDump>> => {
  const { dumps } = await ask(html)
  return engines.map((engine) => dumps?.[engine] as RawDump)
}
const box = '<div style="width:10px;height:20px"></div>'
const isTrueBox = (dump: RawDump | undefined): boolean => {
  const node = dump?.nodes.find(({ tag }) => tag === 'DIV')
  return node?.bounding.w === 10 && node.bounding.h === 20 && node.style.width === '10px'
}

test.before(() => oracle.ask({ id: 'up', op: 'ping' }))

test.after.always('the oracle ends well', async (t) => {
  t.is(await oracle.end(), 0)
})

test.serial(
  'a page that breaks what it could be measured with is dumped truly, and so is the next',
  async (t) => {
    const vandal = `
    const lie = () => ({ x: 9, y: 9, width: 9, height: 9, length: 9, getPropertyValue: () => 'lie' })
    const fail = () => { throw new Error('broken') }
    Element.prototype.getBoundingClientRect = Element.prototype.getClientRects = getComputedStyle = lie
    Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = fail
    Object.defineProperty(document, 'documentElement', { get: fail })
    Object.defineProperty(Object.prototype, 'index', { get: () => 7, set: fail })
    Object.prototype.toJSON = String.prototype.toJSON = () => 'lie'
    JSON.stringify = () => 'lie'
    Array.prototype.map = Array.prototype.push = Array.prototype[Symbol.iterator] = fail
    Promise.prototype.then = Reflect.apply = Function.prototype.call = Function.prototype.apply = fail
    innerWidth = 5; devicePixelRatio = 3; setTimeout = fail; Map = Set = Promise = Symbol = fail`
    for (const dump of await dumpsOf(`${box}<script>${vandal}</script>`)) t.true(isTrueBox(dump))
    for (const dump of await dumpsOf(box)) t.true(isTrueBox(dump))
  },
)

test.serial('nothing of a page reaches the next', async (t) => {
  await ask('<script>name="a";globalThis.left=1;document.title="a";try{localStorage.a=1}catch{}</script>')
  const seen = '(name + typeof left + document.title).length'
  const page = `<script>document.write('<p style="width:' + ${seen} + 'px">')</script>`
  for (const dump of await dumpsOf(page)) t.is(dump.nodes[4]?.bounding.w, 'undefined'.length)
})

test.serial('dialogs and windows that a page opens keep nobody waiting', async (t) => {
  const script = 'alert(1);confirm(2);prompt(3);print();open("about:blank");onbeforeunload=()=>"stay"'
  for (const dump of await dumpsOf(`${box}<script>${script}</script>`)) t.true(isTrueBox(dump))
  for (const dump of await dumpsOf(box)) t.true(isTrueBox(dump))
})

for (const [name, html] of Object.entries({
  'reloads itself at once': '<script>location.reload()</script>',
  'reloads itself when it has loaded': '<script>onload=()=>location.reload()</script>',
  'goes elsewhere at once': '<script>location="data:text/html,<b>"</script>',
  'goes elsewhere by a meta element': '<meta http-equiv="refresh" content="0;url=about:blank">',
  'goes back': '<script>history.back()</script>',
  'writes itself anew when it has loaded': `<script>onload=()=>document.write('${box}')</script>`,
})) {
  test.serial(`a page that ${name} is an error or a dump of that page, never of another`, async (t) => {
    const answer = await ask(html + box)
    for (const engine of engines) {
      const error = answer.errors?.[engine]
      if (error === undefined) t.true(isTrueBox(answer.dumps?.[engine]), engine)
      else t.regex(error, /went elsewhere|not ready in time|did not end/, engine)
    }
    for (const dump of await dumpsOf(box)) t.true(isTrueBox(dump))
  })
}

test.serial('a page without a root element is the error of each engine', async (t) => {
  const { errors } = await ask('<script>document.documentElement.remove()</script>')
  for (const engine of engines) t.is(errors?.[engine], 'the page has no root element')
})

test.serial('what a page wants from the network is refused at once', async (t) => {
  const asks: Array<string> = []
  const server = createServer((request, response) => {
    asks.push(request.url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const html = `${box}<img src="${at}/a"><link rel="stylesheet" href="${at}/b"><script src="${at}/c"></script>
    <iframe src="${at}/d"></iframe><style>@font-face{font-family:x;src:url(${at}/e)}p{font-family:x}</style><p>a
    <script>fetch('${at}/f').catch(()=>0);new WebSocket('ws://127.0.0.1:${(server.address() as AddressInfo).port}')</script>`
  for (const dump of await dumpsOf(html)) t.true(isTrueBox(dump))
  t.deepEqual(asks, [])
  server.close()
})

test.serial('five thousand elements are dumped', async (t) => {
  for (const dump of await dumpsOf('<i></i>'.repeat(5_000))) t.is(dump.nodes.length, 5_003)
})
