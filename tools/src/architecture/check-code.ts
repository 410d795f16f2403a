import { isTestFile, type Module, type Repository } from './repository.ts'
import { nameOf, nodeOf, nodesOf, textOf, type SyntaxNode } from './syntax.ts'

const queryBuilders = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto'])
// Upper or lower case only, because a sentence such as 'Select a rate from the list' is not SQL.
const rawSql = /^\s*(?:select\s[^]*\sfrom\s|insert\s+into\s|update\s[^]*\sset\s|delete\s+from\s)/
const rawSqlUpper = /^\s*(?:SELECT\s[^]*\sFROM\s|INSERT\s+INTO\s|UPDATE\s[^]*\sSET\s|DELETE\s+FROM\s)/
const storeFile = /^server\/src\/(?:domains\/(?:[^/]+\/){1,3}|kernel\/keys\/|http\/idempotency\/)store\.ts$/
const routesFile = /^server\/src\/(?:.+\/)?routes\.ts$/
const sqlFolders = /^server\/src\/kernel\/(?:db|engine|ledger)\//
const publicPaths = new Set(['/healthz', '/readyz', '/openapi.json', '/docs'])
/** Pages that people open from a link, the dashboard and its sign-in; they have no API version. */
const customerPaths = /^\/(?:pay|pay-assets|return|invitations|verify|auth|dashboard)(?:\/|$)/
const pathFields = new Set(['path', 'url'])
const httpVerbs = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options'])
const computedText = new Set(['TemplateLiteral', 'BinaryExpression', 'Identifier', 'MemberExpression'])

export function checkSqlPlaces(repository: Repository): string[] {
  return guarded(repository)
    .filter((module) => module.path.startsWith('server/src/') && !mayHoldSql(module.path))
    .flatMap((module) =>
      module.nodes
        .filter(isSql)
        .map(
          (node) =>
            `${at(module, node)} builds SQL; only store.ts, kernel/db/, kernel/engine/ and kernel/ledger/ may`,
        ),
    )
}

export function checkStoreSignatures(repository: Repository): string[] {
  return guarded(repository)
    .filter((module) => storeFile.test(module.path))
    .flatMap((module) =>
      exportedFunctions(module)
        .filter((one) => !one.name.includes('AcrossOrgs') && !namesOrg(one.parameters))
        .map(
          (one) =>
            `${at(module, one.node)} ${one.name} takes no orgId; store functions are (tx, orgId, …), statements for a batch (orgId, …), or named …AcrossOrgs`,
        ),
    )
}

const namesOrg = (parameters: readonly SyntaxNode[]): boolean =>
  nameOf(parameters[1]) === 'orgId' || nameOf(parameters[0]) === 'orgId'

export function checkRoutePaths(repository: Repository): string[] {
  return guarded(repository)
    .filter((module) => routesFile.test(module.path))
    .flatMap((module) => [...new Set(module.nodes.flatMap((node) => pathProblems(module, node)))])
}

export function checkAssertionReasons(repository: Repository): string[] {
  return guarded(repository).flatMap((module) => {
    const lines = module.text.split('\n')
    const bare = module.nodes
      .filter((node) => isAssertion(node))
      .map((node) => assertionLine(module, node))
      .filter((line) => !hasComment(lines[line - 1]) && !isComment(lines[line - 2]))
    return [...new Set(bare)].map(
      (line) => `${module.path}:${line} asserts a type with \`as\`; say why in a comment beside or above it`,
    )
  })
}

/** A double cannot hold every amount, so the provider could move another one than was approved. */
export function checkAmounts(repository: Repository): string[] {
  return guarded(repository)
    .filter((module) => module.path.startsWith('server/src/'))
    .flatMap((module) =>
      module.nodes
        .filter(isNumberOfAmount)
        .map((node) => `${at(module, node)} makes a number of an amount; pass exactAmount or the digits`),
    )
}

const isNumberOfAmount = (node: SyntaxNode): boolean =>
  node.type === 'CallExpression' &&
  ['Number', 'parseFloat'].includes(nameOf(nodeOf(node, 'callee')) ?? '') &&
  nodesOf(node, 'arguments').some((argument) => nameOf(nodeOf(argument, 'callee')) === 'formatMinor')

export function checkEnums(repository: Repository): string[] {
  return repository.modules.flatMap((module) =>
    module.nodes
      .filter((node) => node.type === 'TSEnumDeclaration')
      .map((node) => `${at(module, node)} declares an enum; use a const object or a union of literals`),
  )
}

function isSql(node: SyntaxNode): boolean {
  if (node.type === 'CallExpression') return queryBuilders.has(calledMethod(node) ?? '')
  if (node.type === 'TaggedTemplateExpression') return nameOf(nodeOf(node, 'tag')) === 'sql'
  const text = textOf(node)
  return text !== undefined && (rawSql.test(text) || rawSqlUpper.test(text))
}

function mayHoldSql(path: string): boolean {
  return sqlFolders.test(path) || storeFile.test(path)
}

function calledMethod(call: SyntaxNode): string | undefined {
  const callee = nodeOf(call, 'callee')
  return callee?.type === 'MemberExpression' ? nameOf(nodeOf(callee, 'property')) : undefined
}

type ExportedFunction = { name: string; node: SyntaxNode; parameters: SyntaxNode[] }

function exportedFunctions(module: Module): ExportedFunction[] {
  const functions = module.nodes.flatMap(namedFunction)
  return module.nodes
    .filter((node) => node.type === 'ExportNamedDeclaration')
    .flatMap((node) => {
      const declaration = nodeOf(node, 'declaration')
      const inline = declaration === undefined ? [] : [declaration, ...nodesOf(declaration, 'declarations')]
      const listed = nodesOf(node, 'specifiers').map((specifier) => nameOf(nodeOf(specifier, 'local')))
      return functions.filter((one) => inline.includes(one.node) || listed.includes(one.name))
    })
}

function namedFunction(node: SyntaxNode): ExportedFunction[] {
  const name = nameOf(nodeOf(node, 'id'))
  const isVariable = node.type === 'VariableDeclarator'
  const body = isVariable ? nodeOf(node, 'init') : node
  const isFunction = body !== undefined && /Function(?:Declaration|Expression)$/.test(body.type)
  return name !== undefined && isFunction ? [{ name, node, parameters: nodesOf(body, 'params') }] : []
}

function pathProblems(module: Module, node: SyntaxNode): string[] {
  const where = at(module, node)
  if (node.type === 'Property') {
    const key = nameOf(nodeOf(node, 'key')) ?? ''
    if (key === 'prefix') return [`${where} sets a prefix; write every path in full`]
    return pathFields.has(key) ? computedProblem(where, nodeOf(node, 'value')) : []
  }
  if (node.type === 'CallExpression') {
    const [first, second] = nodesOf(node, 'arguments')
    const isRoute = second !== undefined && httpVerbs.has(calledMethod(node) ?? '')
    return isRoute ? computedProblem(where, first) : []
  }
  const text = textOf(node)
  if (text === undefined || !/^\/./.test(text)) return []
  if (text.includes('${}')) return computedProblem(where, node)
  return text.startsWith('/v1/') || publicPaths.has(text) || customerPaths.test(text)
    ? []
    : [`${where} has the path '${text}'; a path starts with /v1/ (or is ${[...publicPaths].join(', ')})`]
}

function computedProblem(where: string, value: SyntaxNode | undefined): string[] {
  if (value === undefined || !computedText.has(value.type)) return []
  return [`${where} puts a path together; write every path in full as one string`]
}

function isAssertion(node: SyntaxNode): boolean {
  if (node.type !== 'TSAsExpression') return false
  const type = nodeOf(node, 'typeAnnotation')
  return nameOf(type && nodeOf(type, 'typeName')) !== 'const'
}

function assertionLine(module: Module, node: SyntaxNode): number {
  const type = nodeOf(node, 'typeAnnotation')
  return module.lineOf(type ?? node)
}

function hasComment(line: string | undefined): boolean {
  return line !== undefined && /\/\/|\/\*/.test(line)
}

function isComment(line: string | undefined): boolean {
  return line !== undefined && /^\s*(?:\/\/|\/\*|\*)/.test(line)
}

function at(module: Module, node: SyntaxNode): string {
  return `${module.path}:${module.lineOf(node)}`
}

function guarded(repository: Repository): Module[] {
  return repository.modules.filter((module) => !isTestFile(module.path))
}
