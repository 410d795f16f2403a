import type { PaymentPreview, TimelineEntry } from '@switchyard/sdk'
import type { Command } from 'commander'
import { commandById } from '../call/command-by-id.ts'
import { completeId } from '../call/complete-id.ts'
import { readBody } from '../call/read-body.ts'
import type { Io } from '../io.ts'
import { clockTime } from '../listen/event-source.ts'
import { plain } from '../output/table.ts'
import { openSession, withCommonOptions, type CommonOptions, type Session } from '../session.ts'

const pollMs = 1_000
const kindWidth = 10
const endStatuses: readonly string[] = ['completed', 'failed', 'refunded', 'rejected', 'canceled']

export function addPayments(group: Command, io: Io): void {
  const timeline = group
    .command('timeline')
    .argument('<payment-id>', 'an id, or the start of one')
    .summary('show everything that happened to a payment, in order')
    .description(commandById('payments.timeline').summary)
    .option('--follow', 'keep printing until the payment has ended')
  withCommonOptions(timeline).action(async (id: string) => {
    const options = timeline.opts<CommonOptions & { follow?: boolean }>()
    const session = openSession(io, options)
    const paymentId = await completeId(session, paymentParameter, id, undefined)
    await printTimeline(session, paymentId, options.follow === true)
  })
  const explain = group
    .command('explain')
    .argument('<file>', 'the JSON body of a payment; - for standard input')
    .option('-d, --data <field>', 'override a field of the body, as name=value (repeatable)', collect)
    .summary('show the route that a payment would take; nothing is sent')
  withCommonOptions(explain).action(async (file: string) => {
    const { data = [], ...options } = explain.opts<CommonOptions & { data?: string[] }>()
    const session = openSession(io, options)
    const parts = [file === '-' ? file : `@${file}`, ...data]
    const body = await readBody(io, parts, commandById('payments.preview').body?.fields ?? {})
    const { payments } = session.client
    // The server checks it.
    const preview = await payments.preview(body as Parameters<typeof payments.preview>[0])
    if (session.print.isJson) session.print.value(preview)
    else for (const line of explanation(preview)) io.out(line)
  })
}

const paymentParameter = { name: 'payment_id', lookup: 'transactions.list' }
const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

/** Prints the entries that are new since the last call, and those whose summary has changed. */
export function timelinePrinter(
  { print }: Session,
  isShown: (entry: TimelineEntry) => boolean = () => true,
): (entries: readonly TimelineEntry[]) => void {
  const printed = new Map<string, string>()
  return (entries) => {
    for (const entry of entries.filter(isShown)) {
      if (printed.get(entry.entry_id) === entry.summary) continue
      printed.set(entry.entry_id, entry.summary)
      print.line(`${clockTime(entry.at)}  ${entry.kind.padEnd(kindWidth)}  ${plain(entry.summary)}`, entry)
    }
  }
}

async function printTimeline(session: Session, paymentId: string, isFollowed: boolean): Promise<void> {
  const { client, io } = session
  const show = timelinePrinter(session)
  for (;;) {
    const { status } = await client.payments.get(paymentId)
    show(await client.payments.timeline(paymentId))
    if (!isFollowed || endStatuses.includes(status) || io.signal.aborted) return
    await io.sleep(pollMs)
  }
}

function explanation(preview: PaymentPreview): string[] {
  const { considered, approval, balance, problems, total_fees: fees } = preview
  const route = considered.map(
    ({ provider, taken, reason }) => `  ${taken ? '✓' : '✗'} ${provider}: ${plain(reason)}`,
  )
  return [
    preview.would_start
      ? `This ${preview.direction} of ${preview.amount} ${preview.currency} would start with ${preview.provider ?? 'no provider'}.`
      : `This ${preview.direction} would be refused.`,
    ...problems.map(({ code, message }) => `  ${code}: ${plain(message)}`),
    'Providers, in the order in which they would be tried:',
    ...route,
    ...(fees === null ? [] : [`Fees: ${fees} ${preview.fees_currency ?? ''}`]),
    ...(balance
      ? [`Balance: ${balance.spendable} ${balance.currency} available, ${balance.required} required.`]
      : []),
    approval.is_needed ? `Approval is required: ${approval.reason ?? ''}` : 'No approval is required.',
  ]
}
