import type { FastifyInstance } from 'fastify'
import type { Route } from '../protocol.ts'
import type { Account } from './accounts.ts'
import {
  EFFECT_OF_FAULT,
  endConnection,
  isAnswer,
  onlyEffect,
  sendAnswer,
  type Answer,
  type ErrorAnswers,
} from './answer.ts'
import { readCall, type OpenCall } from './call.ts'
import { sleep, type Clock } from './clock.ts'
import { CALL_FAULTS, FAULTS_BEFORE_ACCEPTANCE, type CallFault } from './fault-names.ts'
import type { FaultBook, TakenFault } from './faults.ts'

interface RouteHost {
  readonly clock: Clock
  readonly faults: FaultBook
  readonly errors: ErrorAnswers
  readonly authenticate: (call: OpenCall) => Account | Answer
}

/** Registers a route and applies the faults to its calls. */
export function serveRoute(app: FastifyInstance, host: RouteHost, route: Route): void {
  const { on } = route
  app.route({
    method: route.method,
    url: route.path,
    // Runs before the body is read, because a provider that is down reads nothing.
    onRequest: async (_request, reply) => {
      const query = { on, reference: undefined }
      const fault = host.faults.peek(CALL_FAULTS, query)
      if (fault?.fault !== 'down' && fault?.fault !== 'refuse') return
      host.faults.take(CALL_FAULTS, query)
      endConnection(reply, fault.fault === 'down' ? 'close' : 'reset')
    },
    handler: async (request, reply) => {
      const call = readCall(request, on)
      const query = { on, reference: route.reference?.(call) }
      const latency = host.faults.take(['latency'], query)
      if (latency !== undefined) await sleep(host.clock, latency.ms)
      const fault = host.faults.take(CALL_FAULTS, query)
      const answer = await answerWithFault(host, route, { ...call, fault })
      await sendAnswer({ reply, clock: host.clock, errors: host.errors }, answer)
      return reply
    },
  })
}

interface FaultyCall extends OpenCall {
  readonly fault: TakenFault<CallFault> | undefined
}

async function answerWithFault(host: RouteHost, route: Route, call: FaultyCall): Promise<Answer> {
  const fault = call.fault?.fault
  if (fault === undefined || fault === 'decline') return answerCall(host, route, call)
  const effect = EFFECT_OF_FAULT[fault]
  if (FAULTS_BEFORE_ACCEPTANCE.some((name) => name === fault)) return onlyEffect(effect)
  return { ...(await answerCall(host, route, call)), effect }
}

async function answerCall(host: RouteHost, route: Route, call: OpenCall): Promise<Answer> {
  if (route.open === true) return route.handle(call)
  const account = host.authenticate(call)
  return isAnswer(account) ? account : route.handle({ ...call, account })
}
