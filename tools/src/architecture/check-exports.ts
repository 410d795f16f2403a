import { parseModule, type Module, type Repository } from './repository.ts'
import { fieldOf, nameOf, nodeOf, nodesOf, type SyntaxNode } from './syntax.ts'

type UnusedExport = {
  readonly path: string
  readonly line: number
  readonly name: string
  /** Where the `export` keyword starts. */
  readonly start: number
  readonly isUsedInFile: boolean
}

/** Their callers are outside of the checked files: users of the SDK, vitest and its configuration, trials of mutants, generated catalogues. */
const outsideCallers =
  /^sdk\/src\/|^server\/test\/app\/global-setup\.ts$|\.config\.ts$|^tools\/src\/mutants\/trial\.ts$|^tools\/src\/test-projects\.ts$|^dashboard\/src\/messages\/\w+\//

export function checkUnusedExports(repository: Repository): string[] {
  return unusedExports(repository).map(
    ({ path, line, name, isUsedInFile }) =>
      `${path}:${line} exports ${name}, which nobody imports; ${isUsedInFile ? 'remove the export keyword' : 'delete it'}`,
  )
}

export function unusedExports(repository: Repository): UnusedExport[] {
  const imported = importedNames(repository)
  return repository.modules
    .filter((module) => !outsideCallers.test(module.path))
    .flatMap((module) => {
      const used = imported.get(module.path)
      if (used === 'all') return []
      return exportsOf(module).filter(({ name }) => !used?.has(name))
    })
}

/** For each file the names that others import from it; 'all' when somebody imports it as a whole. */
function importedNames(repository: Repository): Map<string, Set<string> | 'all'> {
  const names = new Map<string, Set<string> | 'all'>()
  for (const module of [...repository.modules, ...connectorTemplates(repository)])
    for (const one of module.imports) {
      const known = one.target === undefined ? 'all' : (names.get(one.target) ?? new Set())
      if (one.target === undefined || known === 'all') continue
      const found = one.names
      names.set(one.target, found === 'all' ? found : known.union(new Set(found)))
    }
  return names
}

const templatePath = /^tools\/src\/new-connector\/(simulator\/)?(.+\.ts)\.txt$/

/** A new connector imports what its template imports, so the templates count as importers. */
function connectorTemplates(repository: Repository): Module[] {
  return repository.files.flatMap(({ path, text }) => {
    const match = templatePath.exec(path)
    if (!match) return []
    const folder = match[1] === undefined ? 'server/src/connectors/new' : 'simulator/src/protocols/new'
    return [parseModule({ path: `${folder}/${match[2]}`, text: text.replaceAll(/\{\{(\w+)\}\}/g, '$1') })]
  })
}

function exportsOf(module: Module): UnusedExport[] {
  const identifiers = Map.groupBy(
    module.nodes.filter((node) => node.type === 'Identifier'),
    (node) => nameOf(node) ?? '',
  )
  return module.nodes
    .filter((node) => node.type === 'ExportNamedDeclaration' && fieldOf(node, 'source') === null)
    .flatMap((node) =>
      exportedNames(node).map((name) => ({
        path: module.path,
        line: module.lineOf(node),
        name,
        start: node.start,
        isUsedInFile: (identifiers.get(name)?.length ?? 0) > 1,
      })),
    )
}

function exportedNames(node: SyntaxNode): string[] {
  const declaration = nodeOf(node, 'declaration')
  const declared = declaration === undefined ? [] : [declaration, ...nodesOf(declaration, 'declarations')]
  const listed = nodesOf(node, 'specifiers').map((one) => nodeOf(one, 'exported'))
  return [
    ...declared.flatMap((one) => bindingNames(nodeOf(one, 'id'))),
    ...listed.flatMap((one) => nameOf(one) ?? []),
  ]
}

/** `export const { a, b } = …` exports both. */
function bindingNames(id: SyntaxNode | undefined): string[] {
  if (id === undefined) return []
  if (id.type !== 'ObjectPattern') return nameOf(id) === undefined ? [] : [nameOf(id) ?? '']
  return nodesOf(id, 'properties').flatMap((property) => bindingNames(nodeOf(property, 'value')))
}
