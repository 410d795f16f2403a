import { posix } from 'node:path'
import { parseAst } from 'vitest/node'
import { fieldOf, isNode, nameOf, nodeOf, nodesOf, textOf, walk, type SyntaxNode } from './syntax.ts'

export type RepositoryFile = { readonly path: string; readonly text: string }

type ModuleImport = {
  readonly specifier: string
  readonly line: number
  /** The imported file's path in the repository; undefined for a package. */
  readonly target: string | undefined
  readonly isReexport: boolean
  /** The names that it takes; 'all' for a namespace, a dynamic import or `export *`. */
  readonly names: readonly string[] | 'all'
}

export type Module = {
  readonly path: string
  readonly text: string
  readonly imports: readonly ModuleImport[]
  readonly nodes: readonly SyntaxNode[]
  readonly lineOf: (node: SyntaxNode) => number
}

export type Repository = { readonly files: readonly RepositoryFile[]; readonly modules: readonly Module[] }

const moduleRoots =
  /^(?:(?:server|checkout|dashboard|simulator|sdk|cli|stack|proof|bench|tools)\/src|server\/test)\/.*\.tsx?$/
const importNodes = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

export function repositoryOf(files: readonly RepositoryFile[]): Repository {
  const sources = files.filter((file) => moduleRoots.test(file.path) && !isGenerated(file.path))
  return { files, modules: sources.map(parseModule) }
}

export function parseModule(file: RepositoryFile): Module {
  const nodes: SyntaxNode[] = []
  walk(parseProgram(file), (node) => nodes.push(node))
  const lineOf = (node: SyntaxNode): number => file.text.slice(0, node.start).split('\n').length
  const imports = nodes.flatMap((node) => importOf(node, file.path, lineOf))
  return { path: file.path, text: file.text, imports, nodes, lineOf }
}

export function isTestFile(path: string): boolean {
  return path.endsWith('.test.ts') || /^\w+\/src\/(?:.+\/)?testing\/|^server\/test\//.test(path)
}

const domainFile = /^server\/src\/domains\/(?:(payments)|([^/]+)\/[^/]+)\//

/** The name of the domain that a file belongs to. Payments are one domain, every other group has several. */
export function domainOf(path: string): string | undefined {
  return domainFile.exec(path)?.[0].slice('server/src/domains/'.length, -1)
}

export function isGenerated(path: string): boolean {
  return path.split('/').includes('generated')
}

export function baseNameOf(path: string): string {
  return posix.basename(path)
}

function parseProgram(file: RepositoryFile): unknown {
  try {
    return parseAst(file.text, { lang: file.path.endsWith('.tsx') ? 'tsx' : 'ts' }, file.path)
  } catch (cause) {
    throw new Error(`${file.path} does not parse`, { cause })
  }
}

function importOf(node: SyntaxNode, path: string, lineOf: Module['lineOf']): ModuleImport[] {
  if (!importNodes.has(node.type)) return []
  const source = fieldOf(node, 'source') ?? fieldOf(node, 'argument')
  const specifier = isNode(source) ? textOf(source) : undefined
  if (specifier === undefined) return []
  const isReexport = node.type.startsWith('Export')
  const target = resolveSpecifier(path, specifier)
  return [{ specifier, line: lineOf(node), target, isReexport, names: namesOf(node) }]
}

function namesOf(node: SyntaxNode): string[] | 'all' {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration') {
    const specifiers = nodesOf(node, 'specifiers')
    if (specifiers.some((one) => one.type === 'ImportNamespaceSpecifier')) return 'all'
    return specifiers.map((one) => nameOf(nodeOf(one, 'imported') ?? nodeOf(one, 'local')) ?? 'default')
  }
  const qualifier = nodeOf(node, 'qualifier')
  return nameOf(qualifier) === undefined ? 'all' : [nameOf(qualifier) ?? '']
}

function resolveSpecifier(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  const workspace = /^@switchyard\/([a-z]+)\/(.+)$/.exec(specifier)
  if (!workspace) return undefined
  const [, name = '', path = ''] = workspace
  return name === 'server' && path.startsWith('test/') ? `server/${path}` : `${name}/src/${path}`
}
