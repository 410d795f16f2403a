import type { PaymentsInitiateResult, RampsInitiateResult } from '@switchyard/sdk'
import { formatMoney, formatMomentExactly } from '../../ui/format.ts'

/** What the payer has to do. It is stored in the browser's history state, because the API does not store it. */
export interface NextStep {
  action: string
  message: string
  /** The page where the payer continues. */
  url: string
  /** The details of a transfer, by their names in the API. */
  details: readonly { name: string; value: string }[]
}

const detailNames = [
  'account_name',
  'account_number',
  'bank_name',
  'bank_code',
  'sort_code',
  'iban',
  'wallet_address',
  'network',
  'memo',
  'reference',
] as const

type Instructions = Partial<Record<(typeof detailNames)[number], string>> & {
  amount?: string
  currency?: string
}

function detailsOf(instructions: Instructions, expiresAt: string | undefined): NextStep['details'] {
  const details = detailNames.flatMap((name) => {
    const value = instructions[name]
    return value === undefined || value === '' ? [] : [{ name, value }]
  })
  const { amount, currency } = instructions
  return [
    ...(amount === undefined || currency === undefined
      ? []
      : [{ name: 'amount', value: formatMoney(amount, currency) }]),
    ...details,
    ...(expiresAt === undefined || details.length === 0
      ? []
      : [{ name: 'expires_at', value: formatMomentExactly(expiresAt) }]),
  ]
}

export const nextStepOf = (result: PaymentsInitiateResult): NextStep => ({
  action: result.next_action ?? '',
  message: result.message ?? '',
  url: result.redirect_url ?? result.payment_link ?? '',
  details: detailsOf(result, result.expires_at),
})

export const nextStepOfRamp = ({
  next_action,
  payment_instructions: instructions,
  expires_at,
}: RampsInitiateResult): NextStep => ({
  action: next_action,
  message: instructions.message ?? '',
  url: instructions.redirect_url ?? '',
  details: detailsOf(instructions, expires_at),
})

/** Validates the browser's history state, which an older version of the dashboard may have written. */
export function readNextStep(state: unknown): NextStep | undefined {
  const step = typeof state === 'object' && state !== null && 'nextStep' in state ? state.nextStep : undefined
  const isStep =
    typeof step === 'object' &&
    step !== null &&
    'action' in step &&
    typeof step.action === 'string' &&
    'details' in step &&
    Array.isArray(step.details)
  return isStep ? (step as NextStep) : undefined // the other fields were written together with these
}
