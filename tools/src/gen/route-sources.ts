import { posix } from 'node:path'
import { parseModule, type Module, type RepositoryFile } from '../architecture/repository.ts'
import { fieldOf, isNode, nameOf, nodeOf, nodesOf, textOf, type SyntaxNode } from '../architecture/syntax.ts'

export interface RouteSource {
  /** The file that declares the route. */
  file: string
  /** The files of the operations that its handler calls; the declaring file when it calls none. */
  operations: string[]
}

const methods: readonly string[] = ['get', 'post', 'put', 'patch', 'delete', 'head']
const operationPattern = /^(?:server\/src\/domains|checkout\/src)\//
const supportFilePattern = /\/(?:routes|errors|record|rules|(?:[a-z-]+-)?schema)\.ts$/
const readingVerbs = /^(?:get|load|list|find|draft)(?=[A-Z])/

/** By method and path, as in `POST /v1/users/:user_id`. Every path is a literal, so the source text is enough. */
export function routeSources(files: readonly RepositoryFile[]): Map<string, RouteSource> {
  const sources = new Map<string, RouteSource>()
  for (const module of files.map(parseModule)) {
    const operationsOf = operationFinder(module)
    for (const { method, path, handler } of declaredRoutes(module)) {
      const operations = operationsOf(handler, method)
      sources.set(`${method} ${path}`, {
        file: module.path,
        operations: operations.length > 0 ? operations : [module.path],
      })
    }
  }
  return sources
}

interface DeclaredRoute {
  method: string
  path: string
  handler: SyntaxNode
}

/** Calls such as `app.get('/v1/users/me', { … }, handler)`. */
function declaredRoutes(module: Module): DeclaredRoute[] {
  return module.nodes.flatMap((node) => {
    const callee = node.type === 'CallExpression' ? nodeOf(node, 'callee') : undefined
    const method = callee?.type === 'MemberExpression' ? nameOf(nodeOf(callee, 'property')) : undefined
    const [first, ...rest] = nodesOf(node, 'arguments')
    const path = first && textOf(first)
    const handler = rest.at(-1)
    return method !== undefined && methods.includes(method) && path?.startsWith('/') && handler
      ? [{ method: method.toUpperCase(), path, handler }]
      : []
  })
}

function operationFinder(module: Module): (handler: SyntaxNode, method: string) => string[] {
  const fileByImport = importedOperations(module)
  const localByName = localDeclarations(module)
  const visit = (names: readonly string[], seen: Set<string>): string[] => {
    const imported = names.filter((name) => fileByImport.has(name))
    if (imported.length > 0) return imported
    return names.flatMap((name) => {
      const local = seen.has(name) ? undefined : localByName.get(name)
      seen.add(name)
      return local ? visit(referencesIn(local), seen) : []
    })
  }
  return (handler, method) => {
    const called = visit(referencesIn(handler), new Set())
    const writing = called.filter((name) => !readingVerbs.test(name))
    const chosen = method === 'GET' || writing.length === 0 ? called : writing
    return [...new Set(chosen.flatMap((name) => fileByImport.get(name) ?? []))]
  }
}

function importedOperations(module: Module): Map<string, string> {
  const fileByName = new Map<string, string>()
  for (const node of module.nodes) {
    if (node.type !== 'ImportDeclaration' || fieldOf(node, 'importKind') === 'type') continue
    const source = nodeOf(node, 'source')
    const specifier = source && textOf(source)
    const target = module.imports.find((one) => one.specifier === specifier)?.target
    if (target === undefined || !operationPattern.test(target) || supportFilePattern.test(target)) continue
    for (const one of nodesOf(node, 'specifiers')) {
      const name = nameOf(nodeOf(one, 'local'))
      if (name !== undefined && fieldOf(one, 'importKind') !== 'type')
        fileByName.set(name, posix.normalize(target))
    }
  }
  return fileByName
}

function localDeclarations(module: Module): Map<string, SyntaxNode> {
  const declarations = module.nodes.filter(
    ({ type }) => type === 'VariableDeclarator' || type === 'FunctionDeclaration',
  )
  return new Map(
    declarations.flatMap((node) => {
      const name = nameOf(nodeOf(node, 'id'))
      return name === undefined ? [] : [[name, node] as const]
    }),
  )
}

/** The names that an expression refers to, without the names of properties. */
function referencesIn(root: SyntaxNode): string[] {
  const names: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    const name = value.type === 'Identifier' ? nameOf(value) : undefined
    if (name !== undefined) names.push(name)
    const isComputed = fieldOf(value, 'computed') === true
    for (const [key, child] of Object.entries(value)) {
      const isPropertyName =
        (value.type === 'MemberExpression' && key === 'property') ||
        (value.type === 'Property' && key === 'key')
      if (isComputed || !isPropertyName) visit(child)
    }
  }
  visit(root)
  return names
}
