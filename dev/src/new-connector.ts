import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { providerNames } from '../../server/src/connectors/kit/connector.ts'
import { repositoryDir } from './options.ts'

const templateDir = join(import.meta.dirname, 'new-connector')
const templateSuffix = '.txt'
const connectorsPath = 'server/src/connectors'
const importLine = /^import \{ \w+ \} from '\.\/[\w-]+\/connector\.ts'$/
const entryLine = /^ {2}\w+: \w+,$/

/** Writes the folder of a new connector and its line in the registry. Returns the paths that it wrote. */
export async function writeConnector(root: string, name: string): Promise<string[]> {
  if (!providerNames.some((known) => known === name)) {
    const names = providerNames.join(', ')
    throw new Error(`${name} is no provider; add it to ${connectorsPath}/kit/connector.ts (${names})`)
  }
  const folder = join(connectorsPath, name)
  if (existsSync(join(root, folder))) throw new Error(`${folder} exists already`)
  const registry = join(connectorsPath, 'registry.ts')
  const registered = addToRegistry(readFileSync(join(root, registry), 'utf8'), name)
  mkdirSync(join(root, folder))
  const paths: string[] = []
  for (const template of readdirSync(templateDir)) {
    const path = join(folder, template.slice(0, -templateSuffix.length))
    const text = fill(readFileSync(join(templateDir, template), 'utf8'), name)
    writeFileSync(join(root, path), await formatted(path, text))
    paths.push(path)
  }
  writeFileSync(join(root, registry), await formatted(registry, registered))
  return [...paths, registry]
}

/** A long name breaks lines that a short one does not. */
async function formatted(path: string, text: string): Promise<string> {
  const filepath = join(repositoryDir, path)
  return format(text, { ...(await resolveConfig(filepath)), filepath })
}

/** Two lines, each in its alphabetical place. */
export function addToRegistry(text: string, name: string): string {
  const lines = text.replace(/= \{\}\n/, '= {\n}\n').split('\n')
  const firstLine = `import { ${name}Connector } from './${name}/connector.ts'`
  const lastOfOthers = lines.findLastIndex((line) => line.startsWith('import '))
  insertSorted(lines, firstLine, { like: importLine, otherwiseAfter: lastOfOthers })
  const open = lines.findIndex((line) => line.endsWith('= {'))
  if (open === -1) throw new Error('registry.ts does not look as expected: no line ends with "= {"')
  insertSorted(lines, `  ${name}: ${name}Connector,`, { like: entryLine, otherwiseAfter: open })
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
Next:
  1. Write what is known of the provider, with its evidence, into the sheet of ${name}.
  2. Teach the simulator its protocol: simulator/src/protocols/${name}/ and a line in simulator/src/registry.ts.
  3. Replace the example in ${connectorsPath}/${name}/: mapping.ts first, then client.ts and webhook.ts.
     A capability that the provider lacks is an absent function. [P] and [U] facts are credentials with a default.
  4. Describe its flows in contract.test.ts, and run them:
     npx vitest run --project server ${connectorsPath}/${name}
  5. Say in README.md what it covers and what surprised you. Then: npm run check
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
