import { operations, type Operation } from '@switchyard/sdk'
import { Argument, type Command } from 'commander'
import { callOperation } from '../call/call-operation.ts'
import { commandById } from '../call/command-by-id.ts'
import { confirmMoney } from '../call/confirm-money.ts'
import { readBody } from '../call/read-body.ts'
import { UsageError } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { openSession, withCommonOptions, type CommonOptions } from '../session.ts'

interface ApiOptions extends CommonOptions {
  data?: string[]
  idempotencyKey?: string
  yes?: boolean
}

/** Sends any request and prints the whole response. Known paths keep the field types and confirmations of their command. */
export function addApi(program: Command, io: Io): void {
  const api = program
    .command('api')
    .addArgument(new Argument('<method>').choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']))
    .argument('<path>', 'such as /v1/transactions?limit=5')
    .option(
      '-d, --data <body>',
      'a field as name=value or name:=JSON, or the body as @file or - (repeatable)',
      collect,
    )
    .option('--idempotency-key <key>', 'the key of an earlier call, to repeat it safely')
    .option('--yes', 'do not ask for confirmation before moving money in production')
    .summary('send any request')
  withCommonOptions(api).action((method: string, path: string) => runApi(io, method, path, api.opts()))
}

const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

async function runApi(io: Io, method: string, given: string, options: ApiOptions): Promise<void> {
  if (!given.startsWith('/'))
    throw new UsageError('The path must start with a slash, such as /v1/transactions.')
  const session = openSession(io, options)
  const [path = '', search = ''] = given.split('?', 2)
  const query = Object.fromEntries(new URLSearchParams(search))
  const known = findOperation(method, path)
  const command = known && commandById(known.operation.id)
  const body = await readBody(io, options.data ?? [], command?.body?.fields ?? {})
  const { idempotencyKey } = options
  const input = { path: known?.values ?? [], query, body, idempotencyKey, signal: io.signal }
  if (command && options.yes !== true) await confirmMoney(session, command, input)
  // The operation's types preserve the decimals of the body. Without a body, the response is printed with its envelope.
  const answer = command?.body
    ? await callOperation(session.client, command, input)
    : await session.client.request(method, path, { query, body, idempotencyKey, signal: io.signal })
  if (answer !== undefined) session.print.value(answer)
}

/** Finds the operation of a path. One without parameters wins: in `/payments/exceptions`, the last part is not a payment id. */
function findOperation(method: string, path: string): { operation: Operation; values: string[] } | undefined {
  const segments = path.split('/')
  const found = Object.values<Operation>(operations)
    .filter((operation) => operation.method === method)
    .map((operation) => ({ operation, names: operation.path.split('/') }))
    .filter(
      ({ names }) =>
        names.length === segments.length &&
        names.every((name, index) => name.startsWith('{') || name === segments[index]),
    )
    .map(({ operation, names }) => ({
      operation,
      values: segments
        .filter((_, index) => names[index]?.startsWith('{'))
        .map((one) => decodeURIComponent(one)),
    }))
  return found.toSorted((a, b) => a.values.length - b.values.length)[0]
}
