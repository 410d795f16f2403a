import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Failure, MoneyOperation, Step, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor, type Behaviour, type DeclineReason, type FailureReason } from '../../sentinels.ts'
import { channelsOf, MARKETS, networksOf } from './reference-data.ts'
import { detailsSchema, receiveSchema, sendSchema, type Details } from './schema.ts'

export const refusal = (status: number, code: string, message: string): Answer =>
  json(status, { code, message })

/** The deposit address of an off-ramp; each payment has a different one. */
const depositAddress = (reference: string): string =>
  `0x${reference.replaceAll('-', '').padEnd(40, '0').slice(0, 40)}`

export function receive(kit: Kit, call: Call): Promise<Answer> | Answer {
  const parsed = receiveSchema.safeParse(call.payload)
  if (!parsed.success) return refusal(400, 'InvalidRequestBody', 'The request body is invalid')
  const { walletAddress } = parsed.data.settlementInfo
  if (walletAddress === undefined || walletAddress.length < 20)
    return refusal(400, 'PaymentValidationError', 'settlementInfo.walletAddress is invalid')
  return ramp(kit, call, { operation: 'collect', input: parsed.data, account: parsed.data.source })
}

export function send(kit: Kit, call: Call): Promise<Answer> | Answer {
  const parsed = sendSchema.safeParse(call.payload)
  if (!parsed.success) return refusal(400, 'InvalidRequestBody', 'The request body is invalid')
  return ramp(kit, call, { operation: 'payout', input: parsed.data, account: parsed.data.destination })
}

interface RampRequest {
  operation: Extract<MoneyOperation, 'collect' | 'payout'>
  input: ReturnType<typeof receiveSchema.parse> | ReturnType<typeof sendSchema.parse>
  account: { accountNumber?: string | undefined; networkId: string }
}

function ramp(kit: Kit, call: Call, { operation, input, account }: RampRequest): Promise<Answer> | Answer {
  const rampType = operation === 'collect' ? 'deposit' : 'withdraw'
  const channel = channelsOf(undefined).find(
    (candidate) => candidate.id === input.channelId && candidate.rampType === rampType,
  )
  const market = MARKETS.find(({ country }) => country === channel?.country)
  if (!channel || !market) return refusal(400, 'PaymentValidationError', 'channelId is invalid')
  if (!networksOf(channel.country).some(({ id }) => id === account.networkId))
    return refusal(400, 'PaymentValidationError', 'networkId is invalid')
  const { cryptoCurrency, cryptoNetwork, walletAddress } = input.settlementInfo
  const perDollar = Number(operation === 'collect' ? market.buy : market.sell)
  const details: Details = {
    country: channel.country,
    channelType: channel.channelType,
    cryptoCurrency,
    cryptoNetwork,
    walletAddress: operation === 'collect' ? walletAddress : depositAddress(input.sequenceId),
    cryptoAmount: (input.localAmount / perDollar).toFixed(6),
  }
  const behaviour = behaviourOf(input.localAmount, account.accountNumber)
  const plan = walletPlan(kit, operation, walletAddress)
  return carryOut(kit, call, {
    operation,
    reference: input.sequenceId,
    method: channel.channelType,
    amount: String(input.localAmount),
    currency: channel.currency,
    behaviour,
    details,
    ...(plan && { start: { state: 'pending' as const, plan } }),
    duplicate: () => refusal(400, 'PaymentValidationError', 'sequenceId is already in use'),
    decline: declineOf,
    failure: failureOf,
    accepted: (transaction) => json(200, present(transaction)),
  })
}

/** The documented sandbox accounts take precedence over the sentinels. */
function behaviourOf(localAmount: number, accountNumber: string | undefined): Behaviour {
  const isGood = /1{10}$/.test(accountNumber ?? '')
  const behaviour = behaviourFor({
    amount: String(localAmount),
    account: isGood ? undefined : accountNumber,
  })
  return /0{10}$/.test(accountNumber ?? '') ? { ...behaviour, outcome: 'fails' } : behaviour
}

/** A wallet ending in `dead` cannot be settled and the fiat is returned; for `beef` the return fails too. */
function walletPlan(kit: Kit, operation: MoneyOperation, wallet: string | undefined): Step[] | undefined {
  const ending = /(dead|beef)$/i.exec(wallet ?? '')?.[1]?.toLowerCase()
  if (operation !== 'collect' || ending === undefined) return undefined
  const last = ending === 'dead' ? 'refunded' : 'refund_failed'
  return [
    { afterMs: kit.delayMs, state: 'pending', details: { status: 'settlement_failed' } },
    { afterMs: kit.delayMs, state: 'failed', details: { status: last }, failure: failureOf('declined') },
  ]
}

const declineOf = (reason: DeclineReason): Answer | undefined => {
  if (reason === 'insufficient_funds') return undefined
  return reason === 'temporarily_unavailable'
    ? refusal(400, 'PaymentValidationError', 'The channel is currently inactive')
    : refusal(400, 'ResolveAccountError', 'The account could not be resolved')
}

const CODES: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: 'CHANNEL_INACTIVE',
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  declined: 'REFUSED',
  not_approved: 'NOT_APPROVED',
  reversed: 'REVERSED',
}

const failureOf = (reason: FailureReason): Failure => ({
  code: CODES[reason],
  message: `The payment failed: ${reason}`,
})

const words = {
  collect: { pending: 'processing', completed: 'settlement_complete' },
  payout: { pending: 'pending_settlement', completed: 'complete' },
} as const

export function statusOf(transaction: Transaction): string {
  const { status } = detailsSchema.parse(transaction.details)
  if (status !== undefined) return status
  const own = transaction.operation === 'collect' ? words.collect : words.payout
  switch (transaction.state) {
    case 'completed':
      return own.completed
    case 'failed':
      return 'failed'
    case 'canceled':
      return 'cancelled'
    case 'reversed':
      return 'refunded'
    case 'pending':
    case 'action_required':
      return own.pending
  }
}

export function present(transaction: Transaction): object {
  const details = detailsSchema.parse(transaction.details)
  const isBank = transaction.operation === 'collect' && details.channelType === 'bank'
  return {
    id: transaction.providerRef,
    sequenceId: transaction.reference,
    status: statusOf(transaction),
    currency: transaction.currency,
    country: details.country,
    amount: Number(details.cryptoAmount),
    convertedAmount: Number(transaction.amount),
    ...(transaction.failure && { errorCode: transaction.failure.code }),
    ...(isBank && {
      bankInfo: {
        name: 'PAGA',
        accountNumber: '7056812345',
        accountName: 'Yellow Card Financial',
      },
      reference: transaction.reference.slice(0, 8).toUpperCase(),
    }),
    expiresAt: new Date(Date.parse(transaction.createdAt) + 3_600_000).toISOString(),
    settlementInfo: settlementInfo(transaction, details),
    createdAt: transaction.createdAt,
  }
}

const settlementInfo = ({ state, reference }: Transaction, details: Details): object => ({
  walletAddress: details.walletAddress,
  cryptoCurrency: details.cryptoCurrency,
  cryptoNetwork: details.cryptoNetwork,
  cryptoAmount: Number(details.cryptoAmount),
  ...(state === 'completed' && { txHash: `0x${reference.replaceAll('-', '').padEnd(64, '0')}` }),
})
