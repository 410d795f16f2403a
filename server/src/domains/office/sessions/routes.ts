import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../http/app.ts'
import { readCookie, sendEvents, setCookie } from '../../../http/pages/customer-page.ts'
import { sessionCookies } from '../../../http/auth/session-cookie.ts'
import { createTokenBuckets } from '../../../http/limits/token-buckets.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { addressGroup } from '../../../lib/net/address-group.ts'
import type { Log } from '../../../lib/log.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { changeOrganization } from './change-organization.ts'
import { closeEverySession, closeSession } from './close-session.ts'
import { getCurrentSession, listSessions } from './list-sessions.ts'
import { openSession } from './open-session.ts'
import { receiveCallback } from './receive-callback.ts'
import type { SessionDeps, SignInDeps } from './record.ts'
import { failurePath, loginLimitMs, safeReturnPath } from './rules.ts'
import * as schema from './schema.ts'
import { startLogin } from './start-login.ts'
import { createStreams } from './watch-organization.ts'

interface SessionRouteDeps extends SessionDeps, SignInDeps {
  /** Streams read through the connections of pages, so that payments do not wait for open dashboards. */
  pageDb: Database
  log: Log
  publicUrl: string
  pageRateLimit: { perSecond: number; burst: number }
}

const tags = ['Sessions']
/** Only a person who signed in has a session: API keys and tokens are refused. */
const personOnly = { access: { permission: 'member' as const, credentials: ['session' as const] } }

/** None of these is for integrations, so the API reference leaves them out; docs/dashboard.md describes them. */
export function sessionRoutes(app: App, deps: SessionRouteDeps): void {
  signInEndpoints(app, deps)
  sessionEndpoints(app, deps)
  streamEndpoint(app, deps)
}

function signInEndpoints(app: App, deps: SessionRouteDeps): void {
  const cookies = sessionCookies(deps.publicUrl)
  const perAddress = createTokenBuckets({
    ...deps.pageRateLimit,
    clock: deps.clock,
    message: 'Too many requests. Wait and try again.',
  })
  const setLoginCookie = (reply: FastifyReply, value: string, maxAgeSeconds: number): void =>
    setCookie(reply, { name: cookies.login, value, path: '/', isSecure: cookies.isSecure, maxAgeSeconds })
  app.get(
    '/auth/login',
    {
      config: { access: { permission: 'public' } },
      schema: {
        hide: true,
        tags,
        operationId: 'sessions.login',
        summary: 'Send the browser to the identity provider to sign in',
        description:
          '`return_to` is the page of the dashboard to open afterwards; `max_age` asks for proof that is at most so many seconds old.',
        querystring: schema.loginQuery,
      },
    },
    async ({ query, ip }, reply) => {
      perAddress(addressGroup(ip))
      const started = await startLogin(deps, {
        returnTo: safeReturnPath(query.return_to, deps.publicUrl),
        maxAgeSeconds: query.max_age,
        prompt: query.prompt,
      })
      setLoginCookie(reply, started.sealed, loginLimitMs / 1000)
      return reply.redirect(started.url, 303)
    },
  )
  app.get(
    '/auth/callback',
    {
      config: { access: { permission: 'public' } },
      schema: {
        hide: true,
        tags,
        operationId: 'sessions.callback',
        summary: 'Receive the browser back from the identity provider and open a session',
        description:
          'A sign-in that cannot be completed leads to the sign-in page of the dashboard, which says why.',
      },
    },
    async (request, reply) => {
      perAddress(addressGroup(request.ip))
      const received = await receiveCallback(deps, {
        parameters: new URL(request.url, deps.publicUrl).searchParams,
        sealed: readCookie(request, cookies.login),
      })
      setLoginCookie(reply, '', 0)
      if ('failure' in received) {
        request.log.warn({ err: received.cause, failure: received.failure }, 'a sign-in failed')
        return reply.redirect(failurePath(received.failure), 303)
      }
      const opened = await openSession(deps, originOf(request), {
        person: received.person,
        previousToken: readCookie(request, cookies.session),
      })
      if (typeof opened === 'string') return reply.redirect(failurePath(opened), 303)
      setSessionCookie(deps, reply, opened.token)
      return reply.redirect(received.returnTo, 303)
    },
  )
}

function sessionEndpoints(app: App, deps: SessionRouteDeps): void {
  app.get(
    '/auth/session',
    {
      config: personOnly,
      schema: {
        hide: true,
        tags,
        operationId: 'sessions.current',
        summary: 'Get the session of this browser, with the organisations that you can switch to',
        description: '`auth_time` is when you last proved to the identity provider who you are.',
        response: { 200: schema.currentSessionResponse, ...errors() },
      },
    },
    async ({ caller }) => schema.toCurrentSession(await getCurrentSession(deps, caller, sessionIdOf(caller))),
  )
  app.get(
    '/auth/sessions',
    {
      config: personOnly,
      schema: {
        hide: true,
        tags,
        operationId: 'sessions.list',
        summary: 'List your sessions in every browser and organisation',
        response: { 200: schema.sessionsResponse, ...errors() },
      },
    },
    async ({ caller }) => schema.toSessionList(await listSessions(deps, caller), sessionIdOf(caller)),
  )
  app.delete(
    '/auth/sessions/:session_id',
    {
      config: personOnly,
      schema: {
        hide: true,
        tags,
        operationId: 'sessions.delete',
        summary: 'End one of your sessions',
        params: schema.sessionParams,
        response: { 204: schema.nothing, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      await closeSession(deps, caller, params.session_id)
      if (params.session_id === sessionIdOf(caller)) setSessionCookie(deps, reply, undefined)
      return reply.status(204).send(null)
    },
  )
  app.post(
    '/auth/logout',
    {
      config: personOnly,
      schema: {
        hide: true,
        tags,
        operationId: 'sessions.logout',
        summary: 'End the session of this browser',
        description: 'The identity provider may still remember you; its own sign-out ends that.',
        response: { 204: schema.nothing, ...errors(404) },
      },
    },
    async ({ caller }, reply) => {
      await closeSession(deps, caller, sessionIdOf(caller))
      setSessionCookie(deps, reply, undefined)
      return reply.status(204).send(null)
    },
  )
  app.post(
    '/auth/logout-everywhere',
    {
      config: personOnly,
      schema: {
        hide: true,
        tags,
        operationId: 'sessions.logoutEverywhere',
        summary: 'End all your sessions, in every browser and organisation, at once',
        response: { 200: schema.closedResponse, ...errors() },
      },
    },
    async ({ caller }, reply) => {
      const closed = await closeEverySession(deps, caller)
      setSessionCookie(deps, reply, undefined)
      return reply.send(ok('You are signed out everywhere.', { closed }))
    },
  )
  app.post(
    '/auth/organization',
    {
      config: personOnly,
      schema: {
        hide: true,
        tags,
        operationId: 'sessions.switchOrganization',
        summary: 'Switch this browser to another of your organisations',
        description: 'The session gets a new id and a new cookie; it does not last longer than before.',
        body: schema.organizationBody,
        response: { 200: schema.sessionResponse, ...errors() },
      },
    },
    async ({ caller, body }, reply) => {
      const input = { sessionId: sessionIdOf(caller), orgId: body.org_id }
      const { session, token } = await changeOrganization(deps, caller, input)
      setSessionCookie(deps, reply, token)
      return reply.send(ok('Organisation switched.', schema.toSessionView(session)))
    },
  )
}

function streamEndpoint(app: App, deps: SessionRouteDeps): void {
  const streams = createStreams({ db: deps.pageDb, clock: deps.clock, log: deps.log })
  app.addHook('preClose', async () => streams.stop())
  app.get(
    '/auth/stream',
    {
      config: personOnly,
      schema: {
        hide: true,
        tags,
        operationId: 'sessions.stream',
        summary: 'Stream hints about what changes in the organisation as server-sent events',
        description:
          'A hint has the type, id and sequence of what changed and no other data. The stream ends after 110 seconds; 204 means that too many are open, so poll instead.',
      },
    },
    async ({ caller }, reply) => sendEvents(reply, streams.open(caller, sessionIdOf(caller))),
  )
}

/** The cookie lasts as long as the browser; the session behind it ends earlier. */
function setSessionCookie(deps: { publicUrl: string }, reply: FastifyReply, token: string | undefined): void {
  const { session: name, isSecure } = sessionCookies(deps.publicUrl)
  const cookie = { name, path: '/', isSecure }
  setCookie(
    reply,
    token === undefined ? { ...cookie, value: '', maxAgeSeconds: 0 } : { ...cookie, value: token },
  )
}

function sessionIdOf({ credential }: Caller): string {
  if (credential.kind !== 'session') throw new Error('the route admits sessions only')
  return credential.sessionId
}

const originOf = (request: FastifyRequest): Caller['origin'] => ({
  ip: request.ip,
  userAgent: request.headers['user-agent'],
  requestId: request.id,
})
