import { z } from 'zod'
import { bankInstructionFields } from '../../../connectors/kit/bank-instructions.ts'
import type { BankInstructions, NextAction } from '../../../connectors/kit/connector.ts'
import type { CryptoInstructions, RampDirection } from '../../../connectors/kit/ramp-details.ts'
import { decimalInput } from '../../../lib/money/decimal-input.ts'
import { isExactJson } from '../../../lib/text/json.ts'
import { isCrypto, isFiat, parseMinor, wireAmount } from '../../../lib/money/money.ts'
import { textOf } from '../../../lib/text/no-value.ts'
import {
  carriesAsset,
  isWalletAddress,
  networkNamed,
  networkNames,
} from '../../../lib/instruments/wallet-address.ts'
import { countryCode, dateTime, userId, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import { collectedAsset, openLeg, type LoadedRamp } from './record.ts'

/** Spec 2.3 and 2.4: the request and the answer of a ramp. */
const amountLimit = 1e15
const text = (limit: number) => z.string().trim().min(1).max(limit)

export const rampBody = z
  .object({
    direction: z.enum(['on_ramp', 'off_ramp']).optional(),
    fiat_currency: z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' }),
    fiat_amount: z.number().positive().lt(amountLimit).meta({ format: 'double', example: 150000.5 }),
    client_rate: decimalInput(0.000653),
    crypto_currency: z.string().refine(isCrypto, 'must be a known crypto asset').meta({ example: 'USDC' }),
    crypto_network: text(40)
      .refine((name) => networkNamed(name) !== undefined, `must be one of ${networkNames.join(', ')}`)
      .meta({ example: 'BASE' }),
    country: countryCode,
    user_id: userId.optional(),
    org_id: uuid.optional(),
    customer_type: z.enum(['retail', 'business']).default('retail'),
    business_id: text(200).nullish(),
    business_name: text(200).nullish(),
    wallet_address: text(128).nullish(),
    mobile_money_details: z.object({ provider: text(60), phone_number: text(30) }).nullish(),
    bank_details: z
      .object({ account_number: text(34), bank_code: text(34).nullish(), bank_name: text(200).nullish() })
      .nullish(),
    beneficiary_id: uuid.nullish(),
    beneficiary_name: text(200).nullish(),
    destination: z
      .object({ accountNumber: text(34), bankCode: text(34).nullish(), bankName: text(200).nullish() })
      .nullish(),
    client_reference: text(255).nullish(),
    metadata: z
      .record(z.string().max(100), z.unknown())
      .refine(isExactJson, 'has a number with more digits than JSON can carry: send it as text')
      .refine((value) => Object.keys(value).length <= 50, 'has more than 50 keys')
      .nullish(),
  })
  .superRefine((body, context) => {
    for (const [path, message] of problemsOf(body))
      context.addIssue({ code: 'custom', path: [path], message })
  })
  .meta({
    example: {
      fiat_currency: 'NGN',
      fiat_amount: 152_800.5,
      client_rate: 1528.005,
      crypto_currency: 'USDC',
      crypto_network: 'BASE',
      country: 'NG',
      beneficiary_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
    },
  })

export type RampBody = z.infer<typeof rampBody>

const payeeFields = ['beneficiary_id', 'destination', 'bank_details', 'mobile_money_details'] as const

/** As requested, or derived: crypto is delivered to a wallet address, and fiat to a payee. */
export const directionOf = (body: RampBody): RampDirection =>
  body.direction ?? (body.wallet_address ? 'on_ramp' : 'off_ramp')

/** The requirements that depend on more than one field. */
function* problemsOf(body: RampBody): Generator<[string, string]> {
  const direction = directionOf(body)
  if (direction === 'on_ramp' && !body.wallet_address) yield ['wallet_address', 'is required for an on-ramp']
  if (direction === 'off_ramp' && body.wallet_address)
    yield ['wallet_address', 'an off-ramp pays the payee: leave it out']
  if (direction === 'off_ramp') yield* payeeProblems(body)
  if (body.customer_type === 'business' && !body.business_id)
    yield ['business_id', 'is required for a business']
  if (body.customer_type === 'business' && !body.business_name)
    yield ['business_name', 'is required for a business']
  if (isFiat(body.fiat_currency) && parseMinor(String(body.fiat_amount), body.fiat_currency) === undefined)
    yield ['fiat_amount', `has more decimals than ${body.fiat_currency} has`]
  yield* networkProblems(body)
}

function* payeeProblems(body: RampBody): Generator<[string, string]> {
  const { bank_details: bank, destination, beneficiary_id: beneficiaryId } = body
  if (!payeeFields.some((field) => body[field]))
    yield ['beneficiary_id', 'or another payee is required for an off-ramp; an on-ramp needs wallet_address']
  else if (!beneficiaryId && !body.beneficiary_name)
    yield ['beneficiary_name', 'is required with destination, bank_details or mobile_money_details']
  if (bank && destination && bank.account_number !== destination.accountNumber)
    yield ['destination.accountNumber', 'is not the account in bank_details: send the payee once']
  if (body.mobile_money_details && (bank ?? destination) && !beneficiaryId)
    yield ['mobile_money_details', 'names a second payee beside a bank account: send one of them']
}

function* networkProblems(body: RampBody): Generator<[string, string]> {
  const network = networkNamed(body.crypto_network)
  if (network === undefined) return
  if (!carriesAsset(network, body.crypto_currency))
    yield ['crypto_network', `does not carry ${body.crypto_currency}`]
  if (body.wallet_address && !isWalletAddress(network, body.wallet_address))
    yield ['wallet_address', `is not an address of ${network}`]
}

/** Empty when the customer has nothing to transfer. */
const instructions = z.object({
  type: z.enum(['bank_transfer', 'crypto_transfer', 'redirect', 'prompt']).optional(),
  ...bankInstructionFields,
  wallet_address: z.string().optional(),
  network: z.string().optional(),
  memo: z.string().optional(),
  redirect_url: z.string().optional(),
  message: z.string().optional(),
  amount: wireDecimal.optional(),
  currency: z.string().optional(),
  reference: z.string().optional(),
})

export const rampResponse = z
  .object({
    statusCode: z.int(),
    response: z.object({
      success: z.boolean(),
      payment_id: uuid,
      transaction_id: uuid,
      direction: z.enum(['on_ramp', 'off_ramp']),
      status: z.string(),
      fiat_currency: z.string(),
      fiat_amount: wireDecimal,
      crypto_currency: z.string(),
      crypto_network: z.string(),
      crypto_amount: wireDecimal,
      provider: z.string(),
      expires_at: dateTime,
      next_action: z.enum(['make_transfer', 'redirect', 'wait', 'collect_otp', 'check_status']),
      payment_instructions: instructions,
    }),
  })
  .meta({ id: 'RampResponse' })

type RampView = z.input<typeof rampResponse>

export function toRampResponse(loaded: LoadedRamp): RampView {
  const { payment, ramp } = loaded
  return {
    statusCode: 200,
    response: {
      success: payment.status !== 'failed',
      payment_id: payment.paymentId,
      transaction_id: payment.paymentId,
      direction: ramp.direction,
      status: payment.status,
      fiat_currency: ramp.fiat.currency,
      fiat_amount: wireAmount(ramp.fiat.amountMinor, ramp.fiat.currency),
      crypto_currency: ramp.crypto.currency,
      crypto_network: ramp.network,
      crypto_amount: wireAmount(ramp.crypto.amountMinor, ramp.crypto.currency),
      provider: textOf(payment.provider),
      expires_at: ramp.expiresAt.toISOString(),
      ...nextActionOf(loaded),
    },
  }
}

function nextActionOf(
  loaded: LoadedRamp,
): Pick<RampView['response'], 'next_action' | 'payment_instructions'> {
  const { nextAction: action } = loaded.payment
  if (!action || openLeg(loaded)?.state === 'unknown')
    return { next_action: 'check_status', payment_instructions: {} }
  const { amountMinor, currency } = collectedAsset(loaded.ramp)
  const amount = { amount: wireAmount(amountMinor, currency), currency }
  switch (action.type) {
    case 'bank_transfer':
      return {
        next_action: 'make_transfer',
        payment_instructions: { type: 'bank_transfer', ...bankFields(action.instructions), ...amount },
      }
    case 'crypto_transfer':
      return {
        next_action: 'make_transfer',
        payment_instructions: { type: 'crypto_transfer', ...cryptoFields(action.instructions), ...amount },
      }
    case 'redirect':
    case 'pay_by_link':
      return { next_action: 'redirect', payment_instructions: { ...linkFields(action), ...amount } }
    case 'collect_otp':
    case 'wait':
    case 'check_status':
      return { next_action: action.type, payment_instructions: {} }
  }
}

const bankFields = ({ expires_at: _expiresAt, ...fields }: BankInstructions) => fields

const cryptoFields = ({ address, network, memo }: CryptoInstructions) => ({
  wallet_address: address,
  network,
  ...(memo !== undefined && { memo }),
})

const linkFields = (action: Extract<NextAction, { type: 'redirect' | 'pay_by_link' }>) => ({
  type: 'redirect' as const,
  redirect_url: action.type === 'redirect' ? action.url : action.paymentLink,
})
