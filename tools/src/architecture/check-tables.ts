import { isTestFile, type Module, type Repository } from './repository.ts'
import { nameOf, nodeOf, nodesOf, textOf, type SyntaxNode } from './syntax.ts'
import { declaredReaders, dynamicTables, tableOwners } from './table-owners.ts'

type Use = { readonly table: string; readonly isWrite: boolean; readonly line: number }

const root = 'server/src/'
const schemaFile = 'server/src/kernel/db/generated/schema.ts'
const here = 'tools/src/architecture/table-owners.ts'
const writers = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto'])
const readers = /^(?:selectFrom|from|using|(?:inner|left|right|full|cross)Join(?:Lateral)?)$/
const rawWrite =
  /\b(?:insert\s+into|merge\s+into|delete\s+from|update|truncate(?:\s+table)?)\s+(?:only\s+)?([a-z_]+)/gi
const rawRead =
  /\b(?:from|join|using)\s+((?:only\s+)?[a-z_]+(?:\s+(?:as\s+)?[a-z_]+)?(?:\s*,\s*[a-z_]+(?:\s+(?:as\s+)?[a-z_]+)?)*)/gi

/** Each table is named in SQL by its owner alone; declared readers may read, and nobody else writes. */
export function checkTableOwners(repository: Repository): string[] {
  const modules = repository.modules.filter(({ path }) => path.startsWith(root) && !isTestFile(path))
  return [...unownedTables(repository), ...modules.flatMap(moduleProblems)]
}

/** Holds the list of owners against the generated types of the database, both ways. */
function unownedTables(repository: Repository): string[] {
  const schema = repository.files.find((file) => file.path === schemaFile)
  if (schema === undefined) return []
  const block = /export interface DB \{([^}]*)\}/.exec(schema.text)?.[1] ?? ''
  const tables = new Set([...block.matchAll(/^\s*(\w+):/gm)].map(([, name]) => name ?? ''))
  const missing = [...tables].filter((table) => !(table in tableOwners))
  const gone = Object.keys(tableOwners).filter((table) => !tables.has(table))
  return [
    ...missing.map((table) => `${here}:1 names no owner of the table ${table}`),
    ...gone.map((table) => `${here}:1 names an owner of ${table}, which is no table`),
  ]
}

function moduleProblems(module: Module): string[] {
  const path = module.path.slice(root.length)
  const uses = module.nodes.flatMap((node) => usesOf(module, node))
  const problems = uses.flatMap((use) => {
    const reason = refusal(path, use)
    return reason === undefined ? [] : [`${module.path}:${use.line} ${reason}`]
  })
  const dynamic = dynamicTables.some((one) => path.startsWith(one.path))
    ? []
    : module.nodes
        .filter(isDynamicTable)
        .map(
          (node) =>
            `${module.path}:${module.lineOf(node)} puts a table's name into SQL at run time; write it out`,
        )
  return [...new Set([...problems, ...dynamic])]
}

function refusal(path: string, { table, isWrite }: Use): string | undefined {
  const owner = tableOwners[table]
  if (owner === undefined || isIn(path, owner)) return undefined
  const isDeclared = declaredReaders.some(
    ({ reader, tables }) => path.startsWith(reader) && (tables === 'all' || tables.includes(table)),
  )
  if (isDeclared && !isWrite) return undefined
  const remedy = isWrite
    ? 'only its owner writes it'
    : `call an operation of its owner, or declare the reader in ${here}`
  return `${isWrite ? 'writes' : 'reads'} ${table}, which belongs to ${owner}; ${remedy}`
}

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

function usesOf(module: Module, node: SyntaxNode): Use[] {
  const line = (): number => module.lineOf(node)
  if (node.type === 'CallExpression') {
    const method = methodOf(node)
    if (method === undefined) return []
    const isWrite = writers.has(method)
    if (!isWrite && !readers.test(method) && !isSqlTable(node)) return []
    return namesIn(nodesOf(node, 'arguments')[0]).map((table) => ({ table, isWrite, line: line() }))
  }
  const text = rawText(node)
  if (text === undefined) return []
  const written = [...text.matchAll(rawWrite)].map(([, table]) => table ?? '')
  const read = [...text.replace(rawWrite, '').matchAll(rawRead)].flatMap(([, list]) =>
    (list ?? '').split(',').map(
      (item) =>
        item
          .trim()
          .replace(/^only\s+/i, '')
          .split(/\s/)[0] ?? '',
    ),
  )
  return [
    ...written.map((table) => ({ table, isWrite: true, line: line() })),
    ...read.map((table) => ({ table, isWrite: false, line: line() })),
  ].filter(({ table }) => table in tableOwners)
}

/** The text of a statement: of a template tagged `sql`, or of a string that starts like one. */
function rawText(node: SyntaxNode): string | undefined {
  if (node.type === 'TaggedTemplateExpression') {
    const quasi = nodeOf(node, 'quasi')
    return nameOf(nodeOf(node, 'tag')) === 'sql' && quasi ? textOf(quasi) : undefined
  }
  const text = textOf(node)
  return text !== undefined && /^\s*(?:select|insert|update|delete|with|merge|truncate)\s/i.test(text)
    ? text
    : undefined
}

function namesIn(argument: SyntaxNode | undefined): string[] {
  if (argument === undefined) return []
  if (argument.type === 'ArrayExpression') return nodesOf(argument, 'elements').flatMap(namesIn)
  const [name] = textOf(argument)?.trim().split(/\s/) ?? []
  return name === undefined || !(name in tableOwners) ? [] : [name]
}

function isDynamicTable(node: SyntaxNode): boolean {
  const [argument] = node.type === 'CallExpression' && isSqlTable(node) ? nodesOf(node, 'arguments') : []
  return argument !== undefined && textOf(argument) === undefined
}

function isSqlTable(call: SyntaxNode): boolean {
  const callee = nodeOf(call, 'callee')
  const object = callee && nodeOf(callee, 'object')
  return methodOf(call) === 'table' && nameOf(object) === 'sql'
}

function methodOf(call: SyntaxNode): string | undefined {
  const callee = nodeOf(call, 'callee')
  return callee?.type === 'MemberExpression' ? nameOf(nodeOf(callee, 'property')) : undefined
}
