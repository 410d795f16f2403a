import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { commonTerms, newDetails, planOf, unavailableOnly } from './charge-terms.ts'
import { authorize, handled, parseRequest, refused } from './envelope.ts'
import { authorizationPageOf } from './pages.ts'
import { presentCharge } from './present.ts'
import { mobileMoneySchema } from './schema.ts'

interface Market {
  readonly currencies: readonly string[]
  /** Undefined if the field is ignored. */
  readonly networks?: readonly string[]
  /** A page with a password field, or a prompt on the phone. */
  readonly flow: 'redirect' | 'prompt'
  readonly phone: RegExp
}

export const MARKETS: Readonly<Record<string, Market>> = {
  mobile_money_ghana: {
    currencies: ['GHS'],
    networks: ['MTN', 'VODAFONE', 'TELECEL', 'TIGO', 'AIRTELTIGO'],
    flow: 'redirect',
    phone: /^(\+?233|0)\d{9}$/,
  },
  mobile_money_uganda: {
    currencies: ['UGX'],
    networks: ['MTN', 'AIRTEL'],
    flow: 'redirect',
    phone: /^(\+?256|0)\d{9}$/,
  },
  mpesa: { currencies: ['KES'], flow: 'prompt', phone: /^(\+?254|0)\d{9}$/ },
  mobile_money_rwanda: { currencies: ['RWF'], flow: 'redirect', phone: /^(\+?250|0)\d{9}$/ },
  mobile_money_tanzania: { currencies: ['TZS'], flow: 'prompt', phone: /^(\+?255|0)\d{9}$/ },
  mobile_money_zambia: {
    currencies: ['ZMW'],
    networks: ['MTN', 'AIRTEL', 'ZAMTEL'],
    flow: 'redirect',
    phone: /^(\+?260|0)\d{9}$/,
  },
  mobile_money_franco: { currencies: ['XAF', 'XOF'], flow: 'prompt', phone: /^\+?\d{8,13}$/ },
}

export async function chargeMobileMoney(kit: Kit, call: Call, market: Market): Promise<Answer> {
  const parsed = parseRequest(mobileMoneySchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const behaviour = behaviourFor({ amount: input.amount, account: input.phone_number })
  const isPage = market.flow === 'redirect'
  const plan = planOf(kit, call, behaviour)
  const details = newDetails(input, isPage ? 'AUTH' : 'LIPA_MPESA', plan)
  return carryOut(kit, call, {
    ...commonTerms(input, details),
    method: call.query['type'] ?? '',
    behaviour,
    details,
    start: isPage ? { state: 'action_required', plan: [] } : { state: 'pending', plan },
    check: () => problemOf(market, input),
    decline: unavailableOnly,
    accepted: (transaction) =>
      isPage
        ? authorize({ redirect: authorizationPageOf(kit, transaction), mode: 'redirect' })
        : handled('Charge initiated', presentCharge(transaction)),
  })
}

function problemOf(
  { currencies, networks, phone }: Market,
  input: { readonly currency: string; readonly network?: string | undefined; readonly phone_number: string },
): Answer | undefined {
  if (!currencies.includes(input.currency)) return refused(400, 'currency is not supported for this type')
  if (networks && !networks.includes((input.network ?? '').toUpperCase())) {
    return refused(400, `network must be one of [${networks.join(', ')}]`)
  }
  return phone.test(input.phone_number) ? undefined : refused(400, 'phone_number is invalid')
}
