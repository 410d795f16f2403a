import { assetsFor, findAsset } from '@switchyard/checkout/assets.ts'
import type { Language } from '@switchyard/checkout/languages.ts'
import { qrCode } from '@switchyard/checkout/qr-code.ts'
import { renderPage } from '@switchyard/checkout/render-page.ts'
import type { Page } from '@switchyard/checkout/scene.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../../http/app.ts'
import { readCookie, sendText, setCookie, setPageHeaders } from '../../../../http/pages/customer-page.ts'
import { AppError, notFound } from '../../../../lib/errors.ts'
import type { Logo } from '../../../people/organizations/reads.ts'
import { languageOf, linkPath, presentError, type ViewRequest } from '../present-page.ts'
import type { Visitor } from '../record.ts'
import * as schema from '../schema.ts'
import { isSession, newSession } from '../sign-page-session.ts'

export type LinkRequest = FastifyRequest<{ Params: { link_ref: string } }>

const sessionCookie = 'sy_pay'
const languageCookie = 'sy_lang'
const logoSeconds = 60 * 60
const pictureSeconds = 60 * 60

/** A new browser gets its session cookie with the response. */
export function visitorOf(
  deps: { publicUrl: string },
  request: LinkRequest,
  reply: FastifyReply | undefined,
): Visitor {
  const known = readCookie(request, sessionCookie)
  const session = isSession(known) ? known : newSession()
  if (session !== known && reply) sendCookie(deps, reply, sessionCookie, session)
  const origin = { ip: request.ip, userAgent: request.headers['user-agent'], requestId: request.id }
  return { linkRef: request.params.link_ref, session, origin }
}

const sendCookie = (deps: { publicUrl: string }, reply: FastifyReply, name: string, value: string): void =>
  setCookie(reply, { name, value, path: '/pay', isSecure: deps.publicUrl.startsWith('https:') })

/** Keeps the language that a payer has chosen. */
export const sendLanguage = (deps: { publicUrl: string }, reply: FastifyReply, language: Language): void =>
  sendCookie(deps, reply, languageCookie, language)

export function languagesOf(
  request: FastifyRequest,
  chosen: string | undefined,
): Pick<ViewRequest, 'language' | 'acceptLanguage'> {
  const acceptLanguage = request.headers['accept-language']
  const language = languageOf(chosen ?? readCookie(request, languageCookie), acceptLanguage)
  return { language, acceptLanguage }
}

export const sendPage = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply =>
  sendText(
    request,
    setPageHeaders(reply).type('text/html; charset=utf-8'),
    renderPage(page, assetsFor(page.merchant.color)),
  )

export function sendLogo(reply: FastifyReply, logo: Logo | undefined): FastifyReply {
  if (!logo) throw notFound('The logo')
  return reply.header('cache-control', `private, max-age=${logoSeconds}`).type(logo.type).send(logo.bytes)
}

/** A picture drawn by us. */
const sendPicture = (request: FastifyRequest, reply: FastifyReply, svg: string): FastifyReply =>
  sendText(
    request,
    setPageHeaders(reply).header('cache-control', `private, max-age=${pictureSeconds}`).type('image/svg+xml'),
    svg,
  )

export function renderError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const isInvalid = typeof error === 'object' && error !== null && 'validation' in error
  const status = isInvalid ? 404 : error instanceof AppError ? error.status : 500
  if (status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
  if (error instanceof AppError && error.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(error.retryAfterSeconds))
  const { language } = languagesOf(request, undefined)
  sendPage(request, reply.status(status), presentError(language, status))
}

const assetLifetimeSeconds = 365 * 24 * 60 * 60

/** Payment pages take no credential: the address is the payer's secret. */
export const pageOptions = {
  errorHandler: renderError,
  config: { access: { permission: 'public' as const } },
}

/** What the pages load: they come from our own origin only. */
export function assetRoutes(app: App, deps: { publicUrl: string }): void {
  app.get(
    '/pay-assets/:file',
    {
      ...pageOptions,
      schema: {
        hide: true,
        summary: 'Serve a script or style sheet of the payment pages',
        params: schema.assetParams,
      },
    },
    async (request, reply) => {
      const asset = findAsset(request.params.file)
      if (!asset) throw notFound('This file')
      reply.header('cache-control', `public, max-age=${assetLifetimeSeconds}, immutable`).type(asset.type)
      return sendText(request, reply, asset.body)
    },
  )
  app.get(
    '/pay/:link_ref/qr',
    {
      ...pageOptions,
      schema: {
        hide: true,
        summary: 'Draw the address of a payment link as a QR code',
        params: schema.linkParams,
      },
    },
    async (request, reply) =>
      sendPicture(request, reply, qrCode(`${deps.publicUrl}${linkPath(request.params.link_ref)}`)),
  )
}
