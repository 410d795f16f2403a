import { UsageError } from '../exit-codes.ts'
import type { GeneratedCommand } from '../generated-command.ts'
import type { Session } from '../session.ts'
import type { OperationInput } from './call-operation.ts'

/** In production, a person has to retype the amount, or the profile's name if the request has no amount. */
export async function confirmMoney(
  { io, profile, client }: Session,
  command: GeneratedCommand,
  { path, query, body }: OperationInput,
): Promise<void> {
  if (profile.environment !== 'production' || command.money === undefined || query['dry_run'] === true) return
  const amount = textOf(body, 'amount')
  const expected = amount ?? profile.name
  const paymentIndex = command.path.findIndex(({ name }) => name === 'payment_id')
  const payment = paymentIndex === -1 ? undefined : await client.payments.get(path[paymentIndex] ?? '')
  const currency = textOf(body, 'currency') ?? payment?.currency ?? ''
  const whole = payment ? ` (the payment is ${payment.amount} ${payment.currency})` : ''
  io.report(
    `${command.summary} in production (${profile.base_url})${amount === undefined ? '' : `: ${amount} ${currency}`.trimEnd()}${whole}.`,
  )
  const question = amount === undefined ? `Type ${profile.name} to continue` : 'Type the amount to continue'
  const answer = await io.ask(question).catch((error: unknown) => {
    if (error instanceof UsageError && error.message.startsWith('No terminal'))
      throw new UsageError('This moves money in production. Run it in a terminal, or pass --yes.')
    throw error
  })
  if (answer.trim() !== expected) throw new UsageError(`That is not ${expected}; nothing was sent.`)
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const value = (body as Record<string, unknown>)[name] // any object has fields
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
