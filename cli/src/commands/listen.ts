import type { EventRecord, RequestLogEntry } from '@switchyard/sdk'
import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { clockTime, followEvents, shortId } from '../listen/event-source.ts'
import { follow, startTime } from '../listen/follow.ts'
import { forward, forwardOnce, isAccepted, newSecret, targetUrl, type Forwarded } from '../listen/forward.ts'
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
      'Forwards the events of your organisation to a local server, signed as the installation signs them.\n\nEvents are read from the API, so nothing has to reach this machine from outside. A receiver that is down is waited for. The signing secret is new each time unless SWITCHYARD_WEBHOOK_SECRET holds one.',
    )
    .requiredOption('--forward-to <address>', 'such as localhost:3000/hooks')
    .option('--event <type>', 'only events of this type')
    .option('--since <time>', 'start in the past: a time, or a duration such as 10m')
  withCommonOptions(listen).action(() => runListen(io, listen.opts()))
  for (const [group, about, add] of tails(io)) add(groupOf(program, group, about))
}

type Tail = [group: string, about: string, add: (group: Command) => void]

const tails = (io: Io): Tail[] => [
  ['events', 'Operations of events', (group) => addEventsTail(group, io)],
  ['logs', 'Requests to the API', (group) => addLogsTail(group, io)],
]

/** The group of the generated commands, or a new one. */
export const groupOf = (program: Command, name: string, about: string): Command =>
  program.commands.find((one) => one.name() === name) ?? program.command(name).description(about)

async function runListen(io: Io, options: ListenOptions): Promise<void> {
  const session = openSession(io, options)
  const url = targetUrl(options.forwardTo ?? '')
  const secret = io.env['SWITCHYARD_WEBHOOK_SECRET'] || newSecret()
  const since = await startTime(session, options.since)
  io.reveal(`Signing secret for this session: ${secret}`)
  io.say(`Forwarding the events of ${session.profile.name} to ${url}. Ctrl-C ends it.`)
  let last: EventRecord | undefined
  const endKeys = io.onKey?.((key) => {
    if (!last) return
    if (key === '\r') io.say(last.body)
    if (key === 'r')
      sendAgain(session, last, { url, secret }).catch((error: unknown) => io.say(String(error)))
  })
  if (endKeys) io.say('Enter shows the body of the last event, r sends it again.')
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
  io.say(`${counts.accepted} accepted, ${counts.refused} not accepted.`)
}

async function sendAgain(
  session: Session,
  event: EventRecord,
  target: { url: string; secret: string },
): Promise<void> {
  reporter(session, event)(await forwardOnce(session.io, event, target, 1))
}

/** One line for each attempt; while nobody listens only the first is shown. */
function reporter(session: Session, event: EventRecord): (result: Forwarded) => void {
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
    .summary('print requests to the API as they are answered')
    .option('--failed', 'only those that were not answered with 2xx or 3xx')
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
    // Reading the log is logged, too, and would never end.
    if (row.route === '/v1/request-log' || (isFailedOnly && row.status < 400)) continue
    const status = print.paint(row.status < 400 ? 'green' : 'red', String(row.status))
    const code = row.code === null ? '' : `  ${row.code}`
    print.line(
      `${clockTime(row.created_at)}  ${status}  ${row.method.padEnd(6)}  ${row.route}  ${row.duration_ms} ms${code}  ${row.request_id}`,
      row,
    )
  }
}
