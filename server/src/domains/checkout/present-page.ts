import type { Amount } from '@switchyard/checkout/format.ts'
import { chooseLanguage, wishedCountries, type Language } from '@switchyard/checkout/languages.ts'
import { messagesFor } from '@switchyard/checkout/messages/catalogue.ts'
import {
  isReason,
  type Field,
  type Live,
  type Notice,
  type Page,
  type Scene,
} from '@switchyard/checkout/scene.ts'
import { formatMinor, type Money } from '../../lib/money.ts'
import type { Organization } from '../organizations/record.ts'
import { loadLink } from '../payment-links/get-link.ts'
import type { PaymentLink } from '../payment-links/record.ts'
import { returnReference } from '../payments/build-return-url.ts'
import { returnUrlOf, type ReturnDeps } from '../payments/receive-return.ts'
import type { LoadedPayment, Payment } from '../payments/record.ts'
import { isSettled } from '../payments/rules.ts'
import { merchantOf, sceneKindOf, stateOf } from './load-visit.ts'
import { offerMethods, type OfferDeps } from './offer-methods.ts'
import { priceLink } from './price-link.ts'
import type { Visit, VisitDeps, Visitor, Price, PriceDeps } from './record.ts'
import type { AnyForm } from './schema.ts'
import { csrfToken } from './sign-page-session.ts'

export type PresentDeps = VisitDeps & PriceDeps & OfferDeps & ReturnDeps

/** The browser's request, and the result of a form that it sent. */
export interface ViewRequest {
  language: Language
  acceptLanguage: string | undefined
  country?: string | undefined
  /** Redirects to the provider's page without another click. */
  isAutomatic?: boolean
  /** Offers the methods again after a failed payment. */
  isAgain?: boolean
  form?: AnyForm
  invalid?: readonly Field[]
  notice?: Notice | undefined
  triesLeft?: number | undefined
}

export const languageOf = (chosen: string | undefined, acceptLanguage: string | undefined): Language =>
  chooseLanguage(chosen, acceptLanguage)

export const linkPath = (linkRef: string): string => `/pay/${linkRef}`

const amountOf = (money: Money): Amount => ({
  value: formatMinor(money.amountMinor, money.currency),
  currency: money.currency,
})

const merchantView = (organization: Organization, path: string): Page['merchant'] => ({
  name: organization.name,
  logoUrl: organization.hasLogo ? `${path}/logo` : undefined,
  color: organization.brandColor,
})

export async function presentVisit(
  deps: PresentDeps,
  visit: Visit,
  visitor: Visitor,
  view: ViewRequest,
): Promise<Page> {
  const { link } = visit
  const path = linkPath(link.linkRef)
  const organization = await merchantOf(deps, link.orgId)
  const kind = sceneKindOf(visit)
  const isChoice = kind === 'choose' || (kind === 'failed' && view.isAgain === true)
  const common = { language: view.language, merchant: merchantView(organization, path), path }
  const context = { deps, visit, visitor, view, path }
  if (isChoice) {
    const price = await priceLink(deps, link, visitor.origin)
    const scene = await choiceScene(context, price, organization.country)
    return { ...common, request: requestOf(link, price), scene }
  }
  const scene = await otherScene(context)
  return { ...common, request: 'live' in scene ? paymentRequest(visit) : undefined, scene }
}

interface Context {
  deps: PresentDeps
  visit: Visit
  visitor: Visitor
  view: ViewRequest
  path: string
}

function requestOf(link: PaymentLink, { source, target, exchange }: Price): Page['request'] {
  return {
    description: link.description,
    amount: source && amountOf(source),
    exchange: exchange && {
      receives: target && amountOf(target),
      from: link.payerCurrency,
      to: link.amount.currency,
      rate: exchange.rate,
      until: exchange.expiresAt.toISOString(),
    },
    payBy: link.expiresAt.toISOString(),
  }
}

/** While a payment is in progress, its own amounts are shown; the link's may change. */
const paymentRequest = ({ link, payment }: Visit): Page['request'] => ({
  description: link.description,
  amount: amountOf(payment?.payment.source ?? link.amount),
  exchange: undefined,
  payBy: undefined,
})

const liveOf = ({ visit, path }: Context): Live => ({
  eventsUrl: `${path}/events`,
  statusUrl: `${path}/status`,
  state: stateOf(visit),
})

const csrfOf = ({ deps, visitor, visit }: Context): string =>
  csrfToken(deps.pageKey, visitor.session, visit.link.linkRef)

/** Fields that a rejected form keeps. Card fields are never sent back. */
const repopulatedFields = ['amount', 'email', 'network', 'phone'] as const

async function choiceScene(context: Context, price: Price, home: string): Promise<Scene> {
  const { deps, visit, view } = context
  const { link } = visit
  const { form = {}, country = form['country'] } = view
  const countries = [...(country === undefined ? [] : [country]), ...wishedCountries(view.acceptLanguage)]
  const offer = await offerMethods(deps, link, { source: price.source, countries, home })
  const first = offer?.methods[0]
  if (!offer || !first) return { kind: 'none' }
  const suggested =
    link.amountType === 'open' && link.amount.amountMinor > 0n && link.payerCurrency === link.amount.currency
      ? { amount: formatMinor(link.amount.amountMinor, link.amount.currency) }
      : {}
  const typed = repopulatedFields.flatMap((name) => (form[name] === undefined ? [] : [[name, form[name]]]))
  return {
    kind: 'choose',
    csrf: csrfOf(context),
    version: link.version,
    rateId: price.exchange?.orgRateId,
    openAmount: link.amountType === 'open' ? { currency: link.payerCurrency } : undefined,
    asksEmail: link.email === null,
    methods: offer.methods,
    networks: offer.networks,
    country: offer.country,
    countries: offer.countries,
    selected: offer.methods.find(({ method }) => method === form['method'])?.method ?? first.method,
    values: { ...suggested, ...Object.fromEntries(typed) },
    invalid: view.invalid ?? [],
    notice: view.notice,
    live: liveOf(context),
  }
}

async function otherScene(context: Context): Promise<Scene> {
  const { visit, deps, view, path } = context
  const { link, payment } = visit
  const kind = sceneKindOf(visit)
  switch (kind) {
    case 'checking':
    case 'elsewhere':
      return { kind, live: liveOf(context) }
    case 'expired':
      return { kind, at: link.expiresAt.toISOString() }
    case 'canceled':
      return { kind }
    case 'done':
    case 'failed':
      if (!payment) return { kind: 'trouble' }
      return endedScene(payment.payment, {
        language: view.language,
        returnUrl: await returnUrlOf(deps, payment.payment),
        retryUrl: `${path}?again=1`,
      })
    case 'choose':
    case 'redirect':
    case 'otp':
    case 'prompt':
    case 'transfer':
      return payment ? actionScene(context, payment) : { kind: 'trouble' }
  }
}

/** The action that the provider asks of the payer. */
function actionScene(context: Context, { payment }: LoadedPayment): Scene {
  const { view } = context
  const csrf = csrfOf(context)
  const underWay = { live: liveOf(context), leave: { csrf }, notice: view.notice }
  const action = payment.nextAction
  switch (action?.type) {
    case 'redirect':
    case 'pay_by_link':
      return {
        kind: 'redirect',
        url: action.type === 'redirect' ? action.url : action.paymentLink,
        isAutomatic: view.isAutomatic === true,
        ...underWay,
      }
    case 'collect_otp':
      return {
        kind: 'otp',
        csrf,
        hint: action.message,
        triesLeft: view.triesLeft,
        isInvalid: view.invalid?.includes('otp') === true,
        ...underWay,
      }
    case 'bank_transfer':
      return { kind: 'transfer', details: action.instructions, ...underWay }
    case 'wait':
      return { kind: 'prompt', hint: action.message, ...underWay }
    case 'check_status':
    case 'crypto_transfer':
    case undefined:
      return { kind: 'checking', live: underWay.live }
  }
}

/** `failed` is shown only when it is certain that no money was taken. */
function endedScene(
  payment: Payment,
  {
    language,
    returnUrl,
    retryUrl,
  }: { language: Language; returnUrl: string | undefined; retryUrl: string | undefined },
): Scene {
  if (payment.status === 'completed' || payment.status === 'refunded')
    return { kind: 'done', amount: amountOf(payment.source), reference: returnReference(payment), returnUrl }
  const code = payment.status === 'canceled' ? 'CANCELED' : (payment.failureCode ?? '')
  const reason = isReason(messagesFor(language), code) ? code : 'OTHER'
  return { kind: 'failed', reason, returnUrl, retryUrl }
}

/** Customers return to the link's page, or to the caller's return URL once a payment without a link has ended. */
export async function nextUrl(deps: PresentDeps, payment: Payment): Promise<string | undefined> {
  if (payment.linkId === null) return returnUrlOf(deps, payment)
  return linkPath((await loadLink(deps, payment.orgId, payment.linkId)).linkRef)
}

/** The return page of a payment that was not started from a link. */
export async function presentReturn(
  deps: PresentDeps,
  { payment }: LoadedPayment,
  { language, token }: { language: Language; token: string },
): Promise<Page> {
  const path = `/return/${token}`
  const organization = await merchantOf(deps, payment.orgId)
  const live = { eventsUrl: `${path}/events`, statusUrl: `${path}/status`, state: returnState(payment) }
  const scene: Scene = isSettled(payment.status)
    ? endedScene(payment, { language, returnUrl: undefined, retryUrl: undefined })
    : { kind: 'checking', live }
  return { language, merchant: merchantView(organization, path), path, request: undefined, scene }
}

export const returnState = ({ status }: Payment): string => (isSettled(status) ? 'ended' : 'open')

export const presentError = (language: Language, status: number): Page => ({
  language,
  merchant: { name: '', logoUrl: undefined, color: null },
  path: '',
  request: undefined,
  scene: { kind: status === 429 ? 'busy' : status < 500 ? 'missing' : 'trouble' },
})
