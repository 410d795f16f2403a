import { chooseLanguage, wishedCountries, type Language } from '@switchyard/checkout/languages.ts'
import type { Field, Live, Notice, Page, Scene } from '@switchyard/checkout/scene.ts'
import { formatMinor } from '../../../lib/money/money.ts'
import { callingCodeOf } from '../../../lib/instruments/phone.ts'
import { publicNameOf } from '../../people/organizations/rules.ts'
import type { Organization } from '../../people/organizations/record.ts'
import { loadLink } from '../../parties/payment-links/get-link.ts'
import type { PaymentLink } from '../../parties/payment-links/record.ts'
import { returnUrlOf, type ReturnDeps } from '../../payments/actions/receive-return.ts'
import type { LoadedPayment, Payment } from '../../payments/record.ts'
import { isSettled } from '../../payments/lifecycle/rules.ts'
import { describePhone } from './describe-method.ts'
import { merchantOf, sceneKindOf, stateOf } from './load-visit.ts'
import { offerMethods, type OfferDeps } from './offer-methods.ts'
import { amountOf, presentEnding, presentReceipt } from './present-ending.ts'
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
  /** The receipt was mailed a moment ago. */
  isReceiptSent?: boolean
  form?: AnyForm
  invalid?: readonly Field[]
  notice?: Notice | undefined
  triesLeft?: number | undefined
}

export const languageOf = (chosen: string | undefined, acceptLanguage: string | undefined): Language =>
  chooseLanguage(chosen, acceptLanguage)

export const linkPath = (linkRef: string): string => `/pay/${linkRef}`

const merchantView = (organization: Organization, path: string): Page['merchant'] => ({
  name: publicNameOf(organization),
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
    const country = scene.kind === 'choose' ? scene.country : undefined
    return { ...common, country, request: requestOf(link, price), scene }
  }
  const scene = await otherScene(context)
  const hasRequest = 'live' in scene || scene.kind === 'failed'
  const country = visit.payment?.payment.country
  return { ...common, country, request: hasRequest ? paymentRequest(visit) : undefined, scene }
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
  ...withoutTerms,
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
    callingCode: callingCodeOf(offer.country),
    country: offer.country,
    countries: offer.countries,
    selected: offer.methods.find(({ method }) => method === form['method'])?.method ?? first.method,
    values: { ...suggested, ...Object.fromEntries(typed) },
    invalid: view.invalid ?? [],
    missing: (view.invalid ?? []).filter((name) => (form[name] ?? '').trim() === ''),
    notice: view.notice,
    qrUrl: `${context.path}/qr`,
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
      return presentEnding(deps, payment, {
        language: view.language,
        returnUrl: await returnUrlOf(deps, payment.payment),
        retryUrl: `${path}?again=1`,
        isPayer: visit.isPayer,
        paidAt: link.paidAt,
        receipt: visit.isPayer && kind === 'done' ? await receiptOf(context, payment) : undefined,
        notice: view.notice,
      })
    case 'choose':
    case 'redirect':
    case 'otp':
    case 'prompt':
    case 'transfer':
      return payment ? actionScene(context, payment) : { kind: 'trouble' }
  }
}

const receiptOf = (context: Context, payment: LoadedPayment) =>
  presentReceipt(
    context.deps,
    { link: context.visit.link, payment },
    {
      csrf: csrfOf(context),
      typed: context.view.form?.['email'],
      isInvalid: context.view.invalid?.includes('email') === true,
      isSent: context.view.isReceiptSent === true,
    },
  )

/** The action that the provider asks of the payer. */
async function actionScene(context: Context, { payment }: LoadedPayment): Promise<Scene> {
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
      return {
        kind: 'prompt',
        hint: action.message,
        phone: undefined,
        network: undefined,
        ...(await describePhone(context.deps, payment)),
        ...underWay,
      }
    case 'check_status':
    case 'crypto_transfer':
    case undefined:
      return { kind: 'checking', live: underWay.live }
  }
}

/** Customers return to the link's page, or to the caller's return URL once a payment without a link has ended. */
export async function nextUrl(deps: PresentDeps, payment: Payment): Promise<string | undefined> {
  if (payment.linkId === null) return returnUrlOf(deps, payment)
  return linkPath((await loadLink(deps, payment.orgId, payment.linkId)).linkRef)
}

/** It is unknown whether the browser on a return page is the payer's. */
const anybody = {
  returnUrl: undefined,
  retryUrl: undefined,
  isPayer: false,
  paidAt: null,
  receipt: undefined,
  notice: undefined,
}
const withoutTerms = { exchange: undefined, payBy: undefined }

/** The return page of a payment that was not started from a link. */
export async function presentReturn(
  deps: PresentDeps,
  loaded: LoadedPayment,
  { language, token }: { language: Language; token: string },
): Promise<Page> {
  const { payment } = loaded
  const path = `/return/${token}`
  const organization = await merchantOf(deps, payment.orgId)
  const live = { eventsUrl: `${path}/events`, statusUrl: `${path}/status`, state: returnState(payment) }
  const scene: Scene = isSettled(payment.status)
    ? await presentEnding(deps, loaded, { ...anybody, language })
    : { kind: 'checking', live }
  const request =
    scene.kind === 'failed'
      ? { description: payment.description ?? '', amount: amountOf(payment.source), ...withoutTerms }
      : undefined
  const merchant = merchantView(organization, path)
  return { language, merchant, path, country: payment.country, request, scene }
}

export const returnState = ({ status }: Payment): string => (isSettled(status) ? 'ended' : 'open')

export const presentError = (language: Language, status: number): Page => ({
  language,
  merchant: { name: '', logoUrl: undefined, color: null },
  path: '',
  request: undefined,
  scene: { kind: status === 429 ? 'busy' : status < 500 ? 'missing' : 'trouble' },
})
