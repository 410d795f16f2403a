import { Option, type Command } from 'commander'
import { callOperation, isPages, type OperationInput } from '../call/call-operation.ts'
import { completeId } from '../call/complete-id.ts'
import { confirmMoney } from '../call/confirm-money.ts'
import { readBody } from '../call/read-body.ts'
import { UsageError } from '../exit-codes.ts'
import { kebab, namesOf, type GeneratedCommand, type GeneratedFlag } from '../generated-command.ts'
import type { Io } from '../io.ts'
import { openSession, withCommonOptions, type CommonOptions, type Session } from '../session.ts'

interface GeneratedOptions extends CommonOptions {
  readonly [flag: string]: unknown
  data?: string[]
  idempotencyKey?: string
  yes?: boolean
  all?: boolean
  csv?: boolean
}

const defaultRows = 20
const largestPage = 100
const ownOrg = 'org_id'

/** Adds `<resource> <verb>` for an operation; path parameters are arguments, except the organisation. */
export function addGenerated(group: Command, io: Io, command: GeneratedCommand): void {
  const cli = group.command(namesOf(command).verb).summary(command.summary)
  cli.description(
    [sentence(command.summary), ...(command.description === undefined ? [] : [command.description])].join(
      '\n\n',
    ),
  )
  for (const { name, description, lookup } of command.path)
    if (name === ownOrg)
      cli.option('--org-id <id>', 'the organisation (default: the organisation of the profile)')
    else
      cli.argument(
        `<${kebab(name)}>`,
        lookup === undefined ? description : `${description ?? 'an id'}, or the start of one`,
      )
  for (const flag of command.query) cli.addOption(optionOf(flag, command))
  addBodyOptions(cli, command)
  withCommonOptions(cli).action(async (...given: unknown[]) => {
    const args = given.slice(0, -2).map(String)
    await runGenerated(openSession(io, cli.opts()), command, args, cli.opts<GeneratedOptions>())
  })
}

function addBodyOptions(cli: Command, { body, answer, money, id }: GeneratedCommand): void {
  if (body) {
    cli.option(
      '-d, --data <body>',
      'a field as name=value or name:=JSON, or the body as @file or - (repeatable)',
      collect,
    )
    cli.addHelpText('after', `\nFields of the body:\n${fieldHelp(body.fields)}`)
  }
  if (answer === 'page') {
    cli.option('--all', 'read every row')
    cli.option('--csv', 'print the whole list as CSV')
  }
  if (money !== undefined)
    cli.option('--yes', 'do not ask for confirmation before moving money in production')
  if (!id.startsWith('health.'))
    cli.addOption(new Option('--idempotency-key <key>', 'the key of an earlier call, to repeat it safely'))
}

const fieldHelp = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, kind]) => `  ${name}  (${kind})`)
    .join('\n')

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

function optionOf(flag: GeneratedFlag, { answer }: GeneratedCommand): Option {
  const isLimit = flag.name === 'limit' && answer === 'page'
  const value = flag.kind === 'boolean' ? '[true|false]' : `<${flag.kind}>`
  const about = isLimit ? `how many rows to print (default: ${defaultRows})` : (flag.description ?? '')
  const option = new Option(`--${kebab(flag.name)} ${value}`, about)
  if (flag.values) option.choices(flag.values)
  if (flag.isList) option.argParser(collect)
  else if (flag.kind === 'integer') option.argParser((text: string) => integerOf(flag.name, text))
  else if (flag.kind === 'boolean') option.argParser((text: string) => booleanOf(flag.name, text))
  return flag.isRequired ? option.makeOptionMandatory() : option
}

function integerOf(name: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text))
    throw new UsageError(`--${kebab(name)} must be a whole number, not ${text}.`)
  return Number(text)
}

function booleanOf(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new UsageError(`--${kebab(name)} must be true or false, not ${text}.`)
  return text === 'true'
}

/** commander names `--last-evaluated-key` lastEvaluatedKey. */
const optionName = (name: string): string =>
  kebab(name).replaceAll(/-([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())

async function runGenerated(
  session: Session,
  command: GeneratedCommand,
  args: readonly string[],
  options: GeneratedOptions,
): Promise<void> {
  const { io } = session
  const body = command.body && (await readBody(io, options.data ?? [], command.body.fields))
  if (command.body?.isRequired && body === undefined)
    throw new UsageError(
      'This command needs a body. Pass -d name=value, -d @file, or -d - for standard input.',
    )
  const query = Object.fromEntries(command.query.map(({ name }) => [name, options[optionName(name)]]))
  const path = await pathOf(session, command, args, options)
  const { idempotencyKey } = options
  const input: OperationInput = { path, query, body, idempotencyKey, signal: io.signal }
  if (options.yes !== true) await confirmMoney(session, command, input)
  await printAnswer(session, command, input, options)
}

async function pathOf(
  session: Session,
  { path }: GeneratedCommand,
  args: readonly string[],
  options: GeneratedOptions,
): Promise<string[]> {
  const left = [...args]
  const needsOrg = path.some(({ name }) => name === ownOrg)
  const given = typeof options['orgId'] === 'string' ? options['orgId'] : session.profile.org_id
  const orgId = given ?? (needsOrg ? (await session.client.users.me()).org_id : undefined)
  const values: string[] = []
  for (const parameter of path)
    values.push(
      parameter.name === ownOrg
        ? (orgId ?? '')
        : await completeId(session, parameter, left.shift() ?? '', orgId),
    )
  return values
}

/** Calls the operation of a command and prints the response. */
async function printAnswer(
  session: Session,
  command: GeneratedCommand,
  input: OperationInput,
  options: Pick<GeneratedOptions, 'all' | 'csv'>,
): Promise<void> {
  const { client, print, io } = session
  if (command.answer === 'page') return printPages(session, command, input, options)
  const data = await callOperation(client, command, input)
  if (data instanceof ReadableStream) return printStream(io, data as ReadableStream<Uint8Array>) // every response is a stream of bytes
  if (data !== undefined) print.value(data)
  else if (!print.isJson) io.report('Done.')
}

async function printPages(
  session: Session,
  command: GeneratedCommand,
  input: OperationInput,
  options: Pick<GeneratedOptions, 'all' | 'csv'>,
): Promise<void> {
  const { client, print, io } = session
  const asked = input.query['limit']
  const wanted = options.all ? Infinity : typeof asked === 'number' ? asked : defaultRows
  const query = { ...input.query, limit: Math.min(Math.max(wanted, 1), largestPage) }
  const pages = callOperation(client, command, { ...input, query })
  if (!isPages(pages)) throw new TypeError(`${command.id} is not a list.`)
  if (options.csv) return printStream(io, await pages.csv())
  // One extra row shows whether there are more. With --all and JSON output, rows are printed as they are read.
  if (options.all && print.isJson) {
    for await (const row of pages) print.rows([row])
    return
  }
  const rows = await pages.toArray({ limit: wanted + 1 })
  print.rows(rows.slice(0, wanted))
  if (rows.length === 0 && !print.isJson) io.report('No results.')
  if (rows.length > wanted) io.report('There are more results. Pass --limit or --all to see them.')
}

async function printStream(io: Io, stream: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) io.out(line)
  }
  if (rest !== '') io.out(rest)
}
