import { networkOf } from '@switchyard/checkout/networks.ts'
import { AppError } from '../../../lib/errors.ts'
import { exactAmount } from '../../../lib/money/decimal-input.ts'
import type { Money } from '../../../lib/money/money.ts'
import { nationalNumberOf } from '../../../lib/instruments/phone.ts'
import { draftInitiation, type DraftDeps } from '../../payments/initiation/draft-payment.ts'
import { initiatePayment, type InitiationDeps } from '../../payments/initiation/initiate-payment.ts'
import type { InitiateBody } from '../../payments/initiation/schema.ts'
import type { LoadedPayment } from '../../payments/record.ts'
import { payerOf, sceneKindOf } from './load-visit.ts'
import { offerMethods, type OfferDeps } from './offer-methods.ts'
import { priceAtQuote } from './price-link.ts'
import type { Visit, Visitor, PriceDeps } from './record.ts'
import {
  formHead,
  readAmount,
  readCard,
  readEmail,
  readPhone,
  type AnyForm,
  type CardDetails,
  type FormField,
  type FormHead,
} from './schema.ts'
import { sessionHash } from './sign-page-session.ts'

export type PayDeps = InitiationDeps & DraftDeps & PriceDeps & OfferDeps

type Refusal = {
  kind: 'refused'
  invalid: FormField[]
  notice: 'noticeCardNumber' | 'noticeFields' | 'noticeChanged' | 'noticeRate' | 'noticeUnavailable'
}
type PayResult = { kind: 'started'; payment: LoadedPayment | undefined } | Refusal

const refused = (notice: Refusal['notice'], invalid: FormField[] = []): Refusal => ({
  kind: 'refused',
  notice,
  invalid,
})

/**
 * Starts a payment for a link. It is written in one transaction with the claim of the link, so that of two browser
 * tabs only one succeeds.
 */
export async function payLink(
  deps: PayDeps,
  visit: Visit,
  visitor: Visitor,
  form: AnyForm,
): Promise<PayResult> {
  const { link } = visit
  const kind = sceneKindOf(visit)
  const head = formHead.safeParse(form).data
  if (!head || (kind !== 'choose' && kind !== 'failed') || head.version !== link.version)
    return refused('noticeChanged')
  const read = await readDetails(deps, visit, head, form)
  if ('kind' in read) return read
  const caller = payerOf(link, visitor.origin)
  try {
    const draft = await draftInitiation(deps, caller, bodyOf(visit, head, read))
    const payment = await initiatePayment(deps, caller, {
      ...draft,
      returnUrl: link.returnUrl,
      link: {
        linkId: link.linkId,
        version: head.version,
        sessionHash: sessionHash(deps.pageKey, visitor.session),
      },
    })
    return { kind: 'started', payment }
  } catch (error) {
    return refusalFor(error)
  }
}

interface Details {
  source: Money
  target: Money
  email: string
  card: CardDetails | undefined
  network: string | undefined
  phone: string | undefined
}

async function readDetails(
  deps: PayDeps,
  { link }: Visit,
  head: FormHead,
  form: AnyForm,
): Promise<Details | Refusal> {
  const typed = readAmount(form['amount'], link.payerCurrency)
  if (link.amountType === 'open' && !typed) return refused('noticeFields', ['amount'])
  const price = await priceAtQuote(deps, link, { typed, orgRateId: head.rate })
  if (!price || price.target.amountMinor === 0n) return refused('noticeRate')
  const wish = { source: price.source, countries: [head.country], home: head.country }
  const offer = await offerMethods(deps, link, wish)
  const offered = offer?.country === head.country && offer.methods.find((one) => one.method === head.method)
  if (!offered) return refused('noticeUnavailable')
  // The page has no card field then, so another form sent the number.
  if (form['card_number'] && !offer.methods.some(({ takesCard }) => takesCard))
    return refused('noticeCardNumber')
  const email = link.email ?? readEmail(form['email'])
  const card = offered.method === 'card' && offered.takesCard ? readCard(form, deps.clock.now()) : undefined
  const isMobile = head.method === 'mobile_money'
  const phone = readPhone(form['phone'], head.country)
  const network = chosenNetwork(offer.networks, { country: head.country, chosen: form['network'], phone })
  const invalid: FormField[] = [
    ...(email === undefined ? (['email'] as const) : []),
    ...(card && 'invalid' in card ? card.invalid : []),
    ...(isMobile && network === undefined ? (['network'] as const) : []),
    ...(isMobile && phone === undefined ? (['phone'] as const) : []),
  ]
  if (invalid.length > 0 || email === undefined) return refused('noticeFields', invalid)
  return { ...price, email, card: card && 'card' in card ? card.card : undefined, network, phone }
}

/** Without script the page cannot derive the network from the number, so it is derived here. */
function chosenNetwork(
  networks: readonly { value: string }[],
  { country, chosen = '', phone }: { country: string; chosen: string | undefined; phone: string | undefined },
): string | undefined {
  const offered = networks.map(({ value }) => value)
  if (chosen !== '') return offered.find((value) => value === chosen)
  const national = phone && nationalNumberOf(phone)
  return national ? networkOf(country, national, offered) : undefined
}

function bodyOf({ link }: Visit, head: FormHead, details: Details): InitiateBody {
  const { source, target, email, card, network, phone } = details
  return {
    amount: exactAmount(source),
    currency: source.currency,
    target_amount: exactAmount(target),
    target_currency: target.currency,
    org_rate_id: source.currency === target.currency ? null : head.rate,
    payment_method: head.method,
    direction: 'payin',
    country: head.country,
    client_reference: link.clientReference,
    description: link.description === '' ? null : link.description,
    payer_details: { email, ...(phone !== undefined && { phone }) },
    ...(card && { card_details: card }),
    ...(head.method === 'mobile_money' &&
      network !== undefined &&
      phone !== undefined && { mobile_money_details: { provider: network, phone_number: phone } }),
    metadata: { payment_link_id: link.linkId },
  }
}

const fieldOfPath: Readonly<Record<string, FormField>> = {
  'payer_details.email': 'email',
  'mobile_money_details.provider': 'network',
  'mobile_money_details.phone_number': 'phone',
}

function refusalFor(error: unknown): PayResult {
  if (!(error instanceof AppError)) throw error
  // Another tab was first, or the terms changed: nothing of this payment was written.
  if (error.code === 'LINK_TAKEN') return refused('noticeChanged')
  // The payment was written and has failed; the page shows that.
  if (error.code === 'ALL_PROVIDERS_FAILED') return { kind: 'started', payment: undefined }
  if (error.code === 'RATE_MISMATCH') return refused('noticeRate')
  if (error.code === 'ROUTING_CONFIG_NOT_FOUND' || error.code === 'EXCHANGE_LIMIT')
    return refused('noticeUnavailable')
  if (error.status !== 400) throw error
  const fields = (error.details ?? []).flatMap(({ path }) => fieldOfPath[path] ?? [])
  return fields.length > 0 ? refused('noticeFields', fields) : refused('noticeUnavailable')
}
