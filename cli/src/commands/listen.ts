import type { EventRecord, RequestLogEntry } from '@switchyard/sdk'
import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { clockTime, followEvents, shortId } from '../listen/event-source.ts'
import { follow, startTime } from '../listen/follow.ts'
import {
  forward,
  forwardOnce,
  isAccepted,
  newSecret,
  targetUrl,
  type ForwardResult,
} from '../listen/forward.ts'
import { openSession, withCommonOptions, type CommonOptions, type Session } from '../session.ts'

interface ListenOptions extends CommonOptions {
  forwardTo?: string
  event?: string
  since?: string
}

const typeWidth = 26

export function addListen(program: Command, io: Io): void {
  const listen = program
    .command('listen')
    .summary('forward events to a local server')
    .description(
      'Forwards the events of your organisation to a local server, signed as the installation signs them.\n\nEvents are read from the API, so this machine needs no public address. If the receiver is down, the command waits for it. Each session has a new signing secret, unless SWITCHYARD_WEBHOOK_SECRET is set.',
    )
    .requiredOption('--forward-to <address>', 'such as localhost:3000/hooks')
    .option('--event <type>', 'only events of this type')
    .option('--since <time>', 'start in the past: a time, or a duration such as 10m')
  withCommonOptions(listen).action(() => runListen(io, listen.opts()))
  for (const [group, about, add] of tails(io)) add(groupOf(program, group, about))
}

type Tail = [group: string, about: string, add: (group: Command) => void]

const tails = (io: Io): Tail[] => [
  ['events', 'Operations on events', (group) => addEventsTail(group, io)],
  ['logs', 'Requests to the API', (group) => addLogsTail(group, io)],
]

/** Returns the group of the generated commands, or creates it. */
const groupOf = (program: Command, name: string, about: string): Command =>
  program.commands.find((one) => one.name() === name) ?? program.command(name).description(about)

async function runListen(io: Io, options: ListenOptions): Promise<void> {
  const session = openSession(io, options)
  const url = targetUrl(options.forwardTo ?? '')
  const secret = io.env['SWITCHYARD_WEBHOOK_SECRET'] || newSecret()
  const since = await startTime(session, options.since)
  io.reveal(`Signing secret for this session: ${secret}`)
  io.report(`Forwarding events from ${session.profile.name} to ${url}. Press Ctrl-C to stop.`)
  let last: EventRecord | undefined
  const endKeys = io.onKey?.((key) => {
    if (!last) return
    if (key === '\r') io.report(last.body)
    if (key === 'r')
      sendAgain(session, last, { url, secret }).catch((error: unknown) => io.report(String(error)))
  })
  if (endKeys) io.report('Press Enter to show the body of the last event, or r to resend it.')
  const counts = { accepted: 0, refused: 0 }
  try {
    for await (const event of followEvents(session, since, { eventType: options.event })) {
      last = event
      const result = await forward(io, event, { url, secret }, reporter(session, event))
      counts[isAccepted(result) ? 'accepted' : 'refused']++
    }
  } finally {
    endKeys?.()
  }
  io.report(`${counts.accepted} accepted, ${counts.refused} not accepted.`)
}

async function sendAgain(
  session: Session,
  event: EventRecord,
  target: { url: string; secret: string },
): Promise<void> {
  reporter(session, event)(await forwardOnce(session.io, event, target, 1))
}

/** Prints one line per attempt. While the receiver is down, only the first attempt is shown. */
function reporter(session: Session, event: EventRecord): (result: ForwardResult) => void {
  const { print, io } = session
  return (result) => {
    const { status, reason, attempt, durationMs } = result
    if (status === undefined && attempt > 1) return
    const mark = isAccepted(result)
      ? print.paint('green', String(status))
      : print.paint('red', String(status ?? reason))
    const note = status === undefined ? 'waiting for the receiver' : `${durationMs.toFixed(0)} ms`
    const repeated = attempt > 1 && status !== undefined ? `  attempt ${attempt}` : ''
    const { event_id, event_type, resource_id } = event
    print.line(
      `${clockTime(io.now())}  ${event_type.padEnd(typeWidth)}  ${shortId(resource_id)}  →  ${mark}  ${note}${repeated}`,
      {
        event_id,
        event_type,
        resource_id,
        status: status ?? null,
        attempt,
        duration_ms: Math.round(durationMs),
      },
    )
  }
}

function addEventsTail(group: Command, io: Io): void {
  const tail = group
    .command('tail')
    .summary('print events as they happen')
    .option('--event <type>', 'only events of this type')
    .option('--since <time>', 'start in the past: a time, or a duration such as 10m')
  withCommonOptions(tail).action(async () => {
    const options = tail.opts<ListenOptions>()
    const session = openSession(io, options)
    const since = await startTime(session, options.since)
    for await (const event of followEvents(session, since, { eventType: options.event })) {
      const { event_type, resource_id, sequence } = event
      session.print.line(
        `${clockTime(event.created_at)}  ${event_type.padEnd(typeWidth)}  ${resource_id}  #${sequence}`,
        event,
      )
    }
  })
}

function addLogsTail(group: Command, io: Io): void {
  const tail = group
    .command('tail')
    .summary('print API requests as they complete')
    .option('--failed', 'only requests that failed with a 4xx or 5xx status')
    .option('--since <time>', 'start in the past: a time, or a duration such as 10m')
  withCommonOptions(tail).action(async () => {
    const options = tail.opts<ListenOptions & { failed?: boolean }>()
    const session = openSession(io, options)
    await tailRequests(session, await startTime(session, options.since), options.failed === true)
  })
}

async function tailRequests(
  { io, client, print }: Session,
  since: Date,
  isFailedOnly: boolean,
): Promise<void> {
  const rows = follow<RequestLogEntry>(io, {
    since,
    idOf: (row) => row.entry_id,
    read: (from) => client.requestLog.list({ from, limit: 100 }),
  })
  for await (const row of rows) {
    // Reading the log is itself logged, which would never end.
    if (row.route === '/v1/request-log' || (isFailedOnly && row.status < 400)) continue
    const status = print.paint(row.status < 400 ? 'green' : 'red', String(row.status))
    const code = row.code === null ? '' : `  ${row.code}`
    print.line(
      `${clockTime(row.created_at)}  ${status}  ${row.method.padEnd(6)}  ${row.route}  ${row.duration_ms} ms${code}  ${row.request_id}`,
      row,
    )
  }
}
