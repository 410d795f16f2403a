import type { TimelineEntry } from '@switchyard/sdk'
import type { Command } from 'commander'
import { callOperation } from '../call/call-operation.ts'
import { commandById } from '../call/command-by-id.ts'
import { Refusal, UsageError } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { clockTime, followEvents } from '../listen/event-source.ts'
import { startTime } from '../listen/follow.ts'
import { openSession, withCommonOptions, type CommonOptions, type Session } from '../session.ts'
import type { TriggerFile, TriggerStep } from '../triggers/trigger-file.ts'
import { triggers } from '../triggers/triggers.ts'
import { timelinePrinter } from './payments.ts'

interface TriggerOptions extends CommonOptions {
  with?: string[]
  timeout: string
}

const pollMs = 250
const shownKinds: readonly string[] = ['attempt', 'refund']

/** Makes an event actually happen, with a payment in the simulator instead of a fake delivery. */
export function addTrigger(program: Command, io: Io): void {
  const trigger = program
    .command('trigger')
    .argument('<event>', 'such as payment.completed')
    .option('--with <name>', 'add a variation, such as fallback (repeatable)', collect)
    .option('--timeout <seconds>', 'how long to wait for the event', '60')
    .summary('make an event happen, in the simulator only')
    .addHelpText('after', `\nEvents:\n${triggerHelp()}`)
  withCommonOptions(trigger).action((event: string) => runTrigger(io, event, trigger.opts()))
}

const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

const triggerHelp = (): string =>
  triggers
    .flatMap(({ event, about, with: more = {} }) => [
      `  ${event}  ${about}`,
      ...Object.entries(more).map(([name, one]) => `    --with ${name}  ${one.about}`),
    ])
    .join('\n')

async function runTrigger(io: Io, event: string, options: TriggerOptions): Promise<void> {
  const file = triggers.find((one) => one.event === event)
  if (!file)
    throw new UsageError(
      `${event} cannot be triggered. Try one of ${triggers.map((one) => one.event).join(', ')}.`,
    )
  const steps = [...(options.with ?? []).flatMap((name) => variantOf(file, name)), ...file.steps]
  const timeoutMs = Number(options.timeout) * 1_000
  if (!(timeoutMs > 0)) throw new UsageError('--timeout must be a number of seconds.')
  const session = openSession(io, options)
  const simulator = await simulatorOf(session)
  const saved = new Map<string, unknown>()
  const since = await startTime(session, undefined)
  for (const step of steps) {
    if (step.call !== undefined) await callApi(session, step, saved)
    if (step.simulator !== undefined) await callSimulator(io, simulator, step)
    if (step.message !== undefined) io.report(filled(step.message, saved))
    if (step.await !== undefined)
      await awaitEvent(session, {
        type: step.await,
        resourceId: filled(step.of ?? '', saved),
        since,
        timeoutMs,
      })
  }
}

function variantOf({ event, with: variants = {} }: TriggerFile, name: string): readonly TriggerStep[] {
  const variant = variants[name]
  if (!variant)
    throw new UsageError(
      `${event} has no --with ${name}. It has: ${Object.keys(variants).join(', ') || 'none'}.`,
    )
  return variant.steps
}

/** A trigger must never move real money, so the profile needs a simulator that responds. */
async function simulatorOf({ io, profile }: Session): Promise<string> {
  const { simulator, environment } = profile
  if (environment === 'production' || simulator === undefined)
    throw new UsageError(
      'trigger only works with the simulator. Use the profile that `npm run dev` writes, or add `simulator` to a sandbox profile.',
    )
  const health = await io.fetch(`${simulator}/_health`).catch(() => undefined)
  if (!health?.ok) throw new UsageError(`No simulator responds at ${simulator}.`)
  return simulator
}

async function callApi(
  { client, io }: Session,
  step: TriggerStep,
  saved: Map<string, unknown>,
): Promise<void> {
  const answer = await callOperation(client, commandById(step.call ?? ''), {
    path: (step.path ?? []).map((one) => filled(one, saved)),
    query: {},
    body: step.body === undefined ? undefined : JSON.parse(filled(JSON.stringify(step.body), saved)),
    signal: io.signal,
  })
  if (step.save !== undefined) saved.set(step.save, answer)
}

async function callSimulator(io: Io, simulator: string, step: TriggerStep): Promise<void> {
  const [method = '', path = ''] = step.simulator?.split(' ') ?? []
  const response = await io.fetch(`${simulator}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(step.body),
  })
  if (!response.ok) throw new Refusal(`The simulator refused ${step.simulator}: ${await response.text()}`)
}

/** `${payment.payment_id}` is replaced by the field of a saved response. */
const filled = (text: string, saved: ReadonlyMap<string, unknown>): string =>
  text.replaceAll(/\$\{(\w+)\.(\w+)\}/g, (_match, name: string, field: string) => {
    const answer = saved.get(name)
    const value = typeof answer === 'object' && answer !== null ? Reflect.get(answer, field) : undefined
    if (typeof value !== 'string') throw new Refusal(`The response ${name} has no ${field}.`)
    return value
  })

interface ExpectedEvent {
  readonly type: string
  readonly resourceId: string
  readonly since: Date
  readonly timeoutMs: number
}

/** Waits for the event, and prints the payment's timeline in the meantime. */
async function awaitEvent(
  session: Session,
  { type, resourceId, since, timeoutMs }: ExpectedEvent,
): Promise<void> {
  const { io, client, print } = session
  const ended = new AbortController()
  const signal = AbortSignal.any([io.signal, ended.signal, AbortSignal.timeout(timeoutMs)])
  const isShown = ({ kind }: TimelineEntry): boolean => shownKinds.includes(kind)
  const show = print.isJson ? undefined : timelinePrinter(session, isShown)
  const showTimeline = async (): Promise<void> => {
    if (show && !type.startsWith('virtual_account')) show(await client.payments.timeline(resourceId))
  }
  for await (const event of followEvents({ ...session, io: { ...io, signal } }, since, { pollMs })) {
    // The freeze of an account is a separate resource, whose body names the account.
    if (!event.body.includes(resourceId)) continue
    await showTimeline()
    if (event.event_type !== type) continue
    print.line(`${clockTime(event.created_at)}  event       ${event.event_type}`, event)
    return ended.abort()
  }
  if (!io.signal.aborted) throw new Refusal(`${type} did not happen within ${timeoutMs / 1_000} s.`)
}
