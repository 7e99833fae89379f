import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** What the files of a folder may import beside the folder itself. `*` stands for every one. */
const allowed = {
  domain: { folders: [], packages: ['canonicalize', 'fp-ts', 'io-ts'] },
  migrations: { folders: [], packages: ['kysely'] },
  events: { folders: ['domain', 'migrations'], packages: '*' },
  projections: { folders: ['domain', 'events'], packages: '*' },
  commands: { folders: ['domain', 'events'], packages: '*' },
  oracle: { folders: ['domain'], packages: '*' },
  runner: {
    folders: ['domain', 'events', 'migrations', 'projections', 'commands', 'oracle'],
    packages: '*',
  },
  cli: {
    folders: ['domain', 'events', 'migrations', 'projections', 'commands', 'oracle', 'runner', 'web'],
    packages: '*',
  },
  web: { folders: ['domain', 'events', 'projections', 'commands', 'runner'], packages: '*' },
  bench: { folders: '*', packages: '*' },
  test: { folders: '*', packages: '*' },
}

/**
 * Every import that goes against the direction of the folders, as `file:line: reason`.
 *
 * It reads the text: dependency-cruiser needs the programming interface that TypeScript 7 no longer has, and in
 * the compiled files the imports of types are gone. Biome's `noRestrictedImports` does not see `import('…').T`.
 *
 * @param {string} root the folder that holds `domain/` and the others
 * @returns {string[]}
 */
export function wrongImports(root) {
  return Object.keys(allowed).flatMap((folder) =>
    typeScriptUnder(root, folder).flatMap((file) =>
      importsOf(readFileSync(join(root, file), 'utf8')).flatMap(({ line, name }) => {
        const reason = reasonAgainst(folder, file, name)
        return reason === undefined ? [] : [`${file}:${line}: ${reason}`]
      }),
    ),
  )
}

function reasonAgainst(folder, file, name) {
  const { folders, packages } = allowed[folder]
  if (name.startsWith('.')) {
    const [target] = posix.join(posix.dirname(file), name).split('/')
    if (folders === '*' || target === folder || folders.includes(target)) return undefined
    return `${folder}/ may not import from ${target}/ (${name})`
  }
  if (packages === '*' || packages.some((own) => name === own || name.startsWith(`${own}/`))) return undefined
  return `${folder}/ may not import ${name}`
}

/** `import … from`, `export … from`, `import '…'`, and `import('…')` as a value and as a type. */
function importsOf(text) {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    name: match[2],
  }))
}

function typeScriptUnder(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(folder, ...name.split(/[\\/]/)))
    .filter((file) => !file.includes('/node_modules/'))
}
