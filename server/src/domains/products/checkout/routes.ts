import type { Language } from '@switchyard/checkout/languages.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../http/app.ts'
import { isSameOrigin, registerPages, sendEvents, setPageHeaders } from '../../../http/pages/customer-page.ts'
import { createTokenBuckets } from '../../../http/limits/token-buckets.ts'
import { addressGroup } from '../../../lib/net/address-group.ts'
import { getLogo } from '../../people/organizations/reads.ts'
import {
  pollForPage,
  nextPageInquiryInMs,
  openReturn,
  receiveReturn,
} from '../../payments/actions/receive-return.ts'
import { answerOtp } from './answer-otp.ts'
import { cancelVisitPayment } from './cancel-visit-payment.ts'
import { describeRefusal, presentAgain } from './describe-refusal.ts'
import { loadVisit, stateOf } from './load-visit.ts'
import { payLink, type PayDeps } from './pay-link.ts'
import {
  linkPath,
  nextUrl,
  presentReturn,
  presentVisit,
  returnState,
  type ViewRequest,
  type PresentDeps,
} from './present-page.ts'
import { readVersions, versionOfPayment, versionOfVisit } from './read-versions.ts'
import type { PageDeps, PageState, Visit, Visitor } from './record.ts'
import * as schema from './schema.ts'
import {
  assetRoutes,
  languagesOf,
  pageOptions,
  renderError,
  sendLanguage,
  sendLogo,
  sendPage,
  visitorOf,
  type LinkRequest,
} from './pages/routes.ts'
import { sendReceipt, type ReceiptDeps } from './send-receipt.ts'
import { isGenuineForm } from './sign-page-session.ts'
import { createInquiryLimit } from './limit-inquiries.ts'
import { createWatches } from './watch-state.ts'

type CheckoutDeps = PayDeps & PresentDeps & PageDeps & ReceiptDeps

/** Plenty for a payer who mistypes, far too few to test stolen cards. */
const formsPerLink = { perSecond: 0.2, burst: 20 }

const linkPage = (summary: string) => ({
  ...pageOptions,
  schema: { hide: true, summary, params: schema.linkParams },
})
const linkForm = (summary: string, cardFields: readonly string[] = []) => ({
  ...pageOptions,
  config: { ...pageOptions.config, takesForm: true, cardFields },
  schema: { hide: true, summary, params: schema.linkParams, body: schema.anyForm },
})
const returnPage = (summary: string) => ({
  ...pageOptions,
  schema: { hide: true, summary, params: schema.returnParams },
})

/** Every address is rate limited and every form has a CSRF token, because callers of these pages are anonymous. */
export function checkoutRoutes(app: App, deps: CheckoutDeps): void {
  registerPages(app, deps.limitPages, (scope) => pageRoutes(scope, deps))
}

function pageRoutes(app: App, deps: CheckoutDeps): void {
  assetRoutes(app, deps)
  // Anybody can read pages, so reading uses connections of its own; paying uses those of the API.
  const readDeps = { ...deps, db: deps.pageDb, vault: deps.pageVault }
  const watches = createWatches({ log: deps.log, readVersions: (pages) => readVersions(deps.pageDb, pages) })
  app.addHook('preClose', async () => watches.stop())
  const perLink = createLimit(deps, formsPerLink)
  app.get(
    '/pay/:link_ref',
    {
      ...pageOptions,
      schema: {
        hide: true,
        summary: 'Show the page of a payment link',
        params: schema.linkParams,
        querystring: schema.pageQuery,
      },
    },
    async (request, reply) => {
      const { query } = request
      const visitor = visitorOf(deps, request, reply)
      const visit = await loadVisit(readDeps, visitor)
      if (query.lang !== undefined) sendLanguage(deps, reply, query.lang)
      const page = await presentVisit(readDeps, visit, visitor, {
        ...languagesOf(request, query.lang),
        country: query.country,
        isAutomatic: query.go === '1',
        isAgain: query.again === '1',
        isReceiptSent: query.receipt === 'sent',
      })
      return sendPage(request, reply, page)
    },
  )

  /** A form leads to another page, or shows the same page with what was wrong. */
  const form = (act: Act) => async (request: FormRequest, reply: FastifyReply) => {
    perLink(request.params.link_ref)
    const visitor = visitorOf(deps, request, reply)
    const visit = await loadVisit(deps, visitor)
    const isOwn =
      isSameOrigin(request) && isGenuineForm(deps.pageKey, { ...visitor, token: request.body['csrf'] ?? '' })
    const { language } = languagesOf(request, undefined)
    const end: FormResult = isOwn
      ? await act(visit, visitor, request.body, language)
      : { notice: 'noticeSession' }
    if (typeof end === 'string') return reply.redirect(`${linkPath(visitor.linkRef)}${end}`, 303)
    const view = { ...languagesOf(request, undefined), isAgain: true, form: request.body, ...end }
    const page = await presentAgain(readDeps, visitor, view)
    return sendPage(request, reply.status(isOwn ? 422 : 403), page)
  }
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const sent = request as FormRequest // only the form routes have this handler
    const refusal = describeRefusal(error, sent.body)
    if (!refusal) return renderError(error, request, reply)
    const view = { ...languagesOf(request, undefined), isAgain: true, ...refusal }
    presentAgain(readDeps, visitorOf(deps, sent, reply), view)
      .then((page) => sendPage(request, reply.status(400), page))
      .catch((failure: unknown) => renderError(failure, request, reply))
  }
  app.post(
    '/pay/:link_ref',
    { ...linkForm('Submit the payment form of a payment link', ['card_number']), errorHandler },
    form(async (visit, visitor, body) => {
      const result = await payLink(deps, visit, visitor, body)
      if (result.kind === 'refused') return { invalid: result.invalid, notice: result.notice }
      return result.payment?.payment.nextAction?.type === 'redirect' ? '?go=1' : ''
    }),
  )
  app.post(
    '/pay/:link_ref/otp',
    { ...linkForm('Submit the one-time password that the payer received'), errorHandler },
    form(async (visit, visitor, body) => {
      const result = await answerOtp(deps, visit, visitor, (body['otp'] ?? '').trim())
      return result.kind === 'given' ? '' : { invalid: ['otp'], triesLeft: result.triesLeft }
    }),
  )
  app.post(
    '/pay/:link_ref/cancel',
    { ...linkForm('Cancel the payment of a link to choose another way'), errorHandler },
    form(async (visit, visitor) =>
      (await cancelVisitPayment(deps, visit, visitor)) ? '?again=1' : { notice: 'noticeKept' },
    ),
  )

  app.post(
    '/pay/:link_ref/receipt',
    { ...linkForm('Mail the receipt of a paid link'), errorHandler },
    form(async (visit, visitor, body, language) => {
      const result = await sendReceipt(deps, visit, visitor, { email: body['email'] ?? '', language })
      if (result === 'invalid') return { invalid: ['email'] }
      if (result === 'limited') return { notice: 'noticeReceipt' }
      return result === 'sent' ? '?receipt=sent' : ''
    }),
  )

  const readLinkState = (request: LinkRequest) => async (): Promise<PageState> => {
    const visit = await loadVisit(readDeps, visitorOf(deps, request, undefined))
    const { orgId, linkId } = visit.link
    return { state: stateOf(visit), subject: { orgId, linkId }, version: versionOfVisit(visit) }
  }
  app.get(
    '/pay/:link_ref/status',
    linkPage('Return the state of a payment link as JSON'),
    async (request) => ({ state: (await readLinkState(request)()).state }),
  )
  app.get(
    '/pay/:link_ref/events',
    linkPage('Stream the state of a payment link as server-sent events'),
    async (request, reply) =>
      sendEvents(reply, watches.watch(addressGroup(request.ip), readLinkState(request))),
  )
  app.get(
    '/pay/:link_ref/logo',
    linkPage('Return the logo of the organisation that owns a payment link'),
    async (request, reply) => {
      const { link } = await loadVisit(readDeps, visitorOf(deps, request, undefined))
      return sendLogo(reply, await getLogo(readDeps, link.orgId))
    },
  )

  /** The provider is asked in the background: neither a stream nor a poll waits for it. */
  const inquiries = createInquiryLimit(deps.log)
  const readReturnState = (token: string) => async (): Promise<PageState> => {
    const loaded = await openReturn(readDeps, token)
    const { payment } = loaded
    const { orgId, paymentId } = payment
    inquiries.start(paymentId, () => pollForPage(deps, loaded))
    const [state, version] = [returnState(payment), versionOfPayment(payment)]
    const readAgainInMs = await nextPageInquiryInMs(deps, loaded)
    return { state, version, subject: { orgId, paymentId }, readAgainInMs }
  }
  app.get(
    '/return/:token',
    {
      ...pageOptions,
      schema: {
        hide: true,
        summary: 'Receive the payer back from a provider and show the result of the payment',
        params: schema.returnParams,
        querystring: schema.returnQuery,
      },
    },
    async (request, reply) => {
      const { token } = request.params
      const loaded = await receiveReturn(deps, await openReturn(readDeps, token), request.query)
      const location = await nextUrl(readDeps, loaded.payment)
      if (location !== undefined) return setPageHeaders(reply).redirect(location, 303)
      const { language } = languagesOf(request, undefined)
      return sendPage(request, reply, await presentReturn(readDeps, loaded, { language, token }))
    },
  )
  app.get(
    '/return/:token/status',
    returnPage('Return the state of a payment to the page that a provider redirected to'),
    async ({ params }) => ({ state: (await readReturnState(params.token)()).state }),
  )
  app.get(
    '/return/:token/events',
    returnPage('Stream the state of a payment to the page that a provider redirected to'),
    async ({ params, ip }, reply) =>
      sendEvents(reply, watches.watch(addressGroup(ip), readReturnState(params.token))),
  )
  app.get(
    '/return/:token/logo',
    returnPage('Return the logo of the organisation that a payment belongs to'),
    async ({ params }, reply) => {
      const { payment } = await openReturn(readDeps, params.token)
      return sendLogo(reply, await getLogo(readDeps, payment.orgId))
    },
  )
}

type Act = (visit: Visit, visitor: Visitor, body: schema.AnyForm, language: Language) => Promise<FormResult>
type FormRequest = FastifyRequest<{ Params: { link_ref: string }; Body: schema.AnyForm }>
/** A path to redirect to below the link's, or what to show on the same page. */
type FormResult = string | Pick<ViewRequest, 'invalid' | 'notice' | 'triesLeft'>

const createLimit = ({ clock }: CheckoutDeps, rate: { perSecond: number; burst: number }) =>
  createTokenBuckets({ ...rate, clock, message: 'Too many requests. Wait and try again.' })
