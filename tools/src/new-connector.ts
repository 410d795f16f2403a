import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { providerNames } from '@switchyard/server/connectors/registry.ts'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import { formatText } from './format-text.ts'

const templateDir = join(import.meta.dirname, 'new-connector')
const templateSuffix = '.txt'
const connectorsPath = 'server/src/connectors'
const protocolsPath = 'simulator/src/protocols'
const connectorRegistry = join(connectorsPath, 'registry.ts')
const simulatorRegistry = 'simulator/src/registry.ts'
/** It names folders, variables, paths and a value in the API. */
const validName = /^[a-z][a-z0-9]{1,30}$/
const importLine = /^import \{ \w+ \} from '\.\/[\w/]+\/(?:connector|protocol)\.ts'$/
const entryLine = /^ {2}\w+(: \w+)?,$/

/** Writes the folders of a connector and of its protocol, adds a line to each registry, and returns the paths. */
export async function writeConnector(root: string, name: string): Promise<string[]> {
  if (!validName.test(name))
    throw new Error(`${name} is not a valid name: use lower-case letters and digits, first a letter`)
  if (providerNames.some((known) => known === name)) throw new Error(`the provider ${name} exists already`)
  const folder = join(connectorsPath, name)
  const protocol = join(protocolsPath, name)
  for (const path of [folder, protocol])
    if (existsSync(join(root, path))) throw new Error(`${path} exists already`)
  const registered = [
    [connectorRegistry, addToRegistry(readFileSync(join(root, connectorRegistry), 'utf8'), name)],
    [simulatorRegistry, addToProtocols(readFileSync(join(root, simulatorRegistry), 'utf8'), name)],
  ] as const
  const paths = [
    ...(await writeTemplates(root, { from: templateDir, to: folder, name })),
    ...(await writeTemplates(root, { from: join(templateDir, 'simulator'), to: protocol, name })),
  ]
  for (const [path, text] of registered) writeFileSync(join(root, path), await formatText(path, text))
  return [...paths, connectorRegistry, simulatorRegistry]
}

async function writeTemplates(
  root: string,
  { from, to, name }: { from: string; to: string; name: string },
): Promise<string[]> {
  mkdirSync(join(root, to), { recursive: true })
  const paths: string[] = []
  for (const template of readdirSync(from).filter((file) => file.endsWith(templateSuffix))) {
    const path = join(to, template.slice(0, -templateSuffix.length))
    const text = fill(readFileSync(join(from, template), 'utf8'), name)
    writeFileSync(join(root, path), await formatText(path, text))
    paths.push(path)
  }
  return paths
}

export const addToRegistry = (text: string, name: string): string =>
  addLines(text.replace('({})', '({\n})'), {
    open: 'registerConnectors({',
    imported: `import { ${name}Connector } from './${name}/connector.ts'`,
    entry: `  ${name}: ${name}Connector,`,
  })

const addToProtocols = (text: string, name: string): string =>
  addLines(text, {
    open: '= [',
    imported: `import { ${name} } from './protocols/${name}/protocol.ts'`,
    entry: `  ${name},`,
  })

/** Adds an import and an entry, each in alphabetical order. */
function addLines(text: string, added: { open: string; imported: string; entry: string }): string {
  const lines = text.split('\n')
  const lastOfOthers = lines.findLastIndex((line) => line.startsWith('import '))
  insertSorted(lines, added.imported, { like: importLine, otherwiseAfter: lastOfOthers })
  const open = lines.findIndex((line) => line.endsWith(added.open))
  if (open === -1) throw new Error(`the registry has an unexpected form: no line ends with "${added.open}"`)
  insertSorted(lines, added.entry, { like: entryLine, otherwiseAfter: open })
  return lines.join('\n')
}

function insertSorted(lines: string[], line: string, place: { like: RegExp; otherwiseAfter: number }): void {
  const next = lines.findIndex((other) => place.like.test(other) && other > line)
  const last = lines.findLastIndex((other) => place.like.test(other))
  const after = last === -1 ? place.otherwiseAfter : last
  lines.splice(next === -1 ? after + 1 : next, 0, line)
}

const fill = (text: string, name: string): string =>
  text.replaceAll('{{name}}', name).replaceAll('{{Name}}', name.charAt(0).toUpperCase() + name.slice(1))

const nextSteps = (name: string): string => `
The connector passes its contract suite with an invented protocol:
  npx vitest run ${connectorsPath}/${name}
The next steps, to the protocol of ${name}, are in docs/adding-a-connector.md
`

if (import.meta.main) {
  const [name, ...rest] = process.argv.slice(2)
  if (name === undefined || rest.length > 0) {
    console.error('npm run new:connector NAME')
    process.exitCode = 1
  } else {
    try {
      for (const path of await writeConnector(repositoryDir, name)) console.log(`wrote ${path}`)
      console.log(nextSteps(name))
    } catch (error) {
      console.error(`new:connector: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
}
