import type { Connector } from '../kit/connector.ts'
import {
  createAgent,
  createHttpClient,
  type HttpCall,
  type HttpClient,
  type HttpResult,
} from '../kit/http-client.ts'
import { checkRequests, type RequestCheck } from './openapi-requests.ts'
import {
  openapiFiles,
  type ContractHarness,
  type ContractSimulator,
  type LogEntry,
  type SimulatorFault,
} from './harness.ts'
import { startReceiver, type Receiver } from './receiver.ts'

const dayMs = 86_400_000
const patientMs = 20_000
/** A request that is never accepted can time out early; an accepted one needs time on a busy machine. */
const impatientMs = { before: 200, after: 1_500 }

/** A connector between a simulator and a webhook receiver, and the means to inject faults. */
export interface Fixture {
  readonly harness: ContractHarness
  readonly provider: string
  readonly simulator: ContractSimulator
  readonly receiver: Receiver
  readonly connector: Connector
  /** One for each OpenAPI file. */
  readonly requests: readonly RequestCheck[]
  readonly connectorWith: (credentials: object) => Connector
  /** Every result of the connector, to be searched for secrets. */
  readonly answers: readonly unknown[]
  readonly calls: readonly HttpCall[]
  readonly lastSequence: () => number
  readonly acceptedSince: (sequence: number) => readonly LogEntry[]
  readonly setFault: (fault: SimulatorFault) => void
  readonly clearFaults: () => void
  /** Runs `work` with this fault and a short timeout. */
  readonly withFault: <Result>(fault: SimulatorFault, work: () => Promise<Result>) => Promise<Result>
  /** Runs `work` while this answer replaces that of the accepted call, or of every call. */
  readonly withAnswer: <Result>(replacement: Replacement, work: () => Promise<Result>) => Promise<Result>
  /** Runs `work` while the connector's clock is ahead. */
  readonly withClockAhead: <Result>(aheadMs: number, work: () => Promise<Result>) => Promise<Result>
  readonly stop: () => Promise<void>
}

interface Conditions {
  timeoutMs: number
  aheadMs: number
  replacement?: Replacement | undefined
}

interface Replacement {
  of: 'acceptance' | 'all'
  status: number
  body: string
}

export async function openFixture(harness: ContractHarness): Promise<Fixture> {
  // With this delay no transaction advances until a test calls `settle`.
  const simulator = await harness.startSimulator({ delayMs: dayMs })
  const receiver = await startReceiver()
  const provider = harness.definition.name
  simulator.configure(provider, { webhook_url: receiver.url })
  const log = (afterSequence: number) => simulator.log({ provider, afterSequence })
  const lastSequence = () => log(0).at(-1)?.sequence ?? 0
  const setFault = (fault: SimulatorFault) => simulator.setFaults(provider, [fault])
  const agent = createAgent()
  const conditions: Conditions = { timeoutMs: patientMs, aheadMs: 0 }
  const calls: HttpCall[] = []
  const client = createHttpClient(agent)
  const disturbed: HttpClient = async (call) => {
    calls.push(call)
    const before = lastSequence()
    const result = await client({ ...call, timeoutMs: conditions.timeoutMs })
    return replaced(result, conditions.replacement, lastSequence() > before)
  }
  const requests = requestChecksOf(harness, simulator, disturbed)
  const answers: unknown[] = []
  const connectorWith = (credentials: object) =>
    recorded(
      harness.definition.create({
        credentials: harness.definition.credentials.parse(credentials),
        http: requests.at(-1)?.http ?? disturbed,
        clock: { now: () => new Date(Date.now() + conditions.aheadMs) },
        webhookUrl: receiver.url,
      }),
      answers,
    )
  return {
    harness,
    provider,
    simulator,
    receiver,
    connector: connectorWith(harness.credentials(simulator.providerUrl(provider))),
    requests,
    connectorWith,
    answers,
    calls,
    lastSequence,
    acceptedSince: log,
    setFault,
    clearFaults: () => simulator.setFaults(provider, []),
    withFault: (fault, work) => {
      setFault(fault)
      const timeoutMs = fault.fault === 'timeout_before' ? impatientMs.before : impatientMs.after
      return during(conditions, { timeoutMs }, work)
    },
    withAnswer: (replacement, work) => during(conditions, { replacement }, work),
    withClockAhead: (aheadMs, work) => during(conditions, { aheadMs }, work),
    stop: async () => {
      await agent.destroy()
      await simulator.stop()
      await receiver.stop()
    },
  }
}

async function during<Result>(
  conditions: Conditions,
  change: Partial<Conditions>,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = { replacement: undefined, ...conditions }
  Object.assign(conditions, change)
  try {
    return await work()
  } finally {
    Object.assign(conditions, before)
  }
}

function replaced(
  result: HttpResult,
  replacement: Replacement | undefined,
  isAcceptance: boolean,
): HttpResult {
  if (replacement === undefined || (replacement.of === 'acceptance' && !isAcceptance)) return result
  return { kind: 'answered', status: replacement.status, headers: {}, body: replacement.body }
}

/** Each check validates the calls to its addresses and passes all calls on to the previous one. */
function requestChecksOf(
  harness: ContractHarness,
  simulator: ContractSimulator,
  http: HttpClient,
): RequestCheck[] {
  const providerUrl = simulator.providerUrl(harness.definition.name)
  const checks: RequestCheck[] = []
  for (const { file, baseUrl, deviations } of openapiFiles(harness)) {
    const options = { file, baseUrl: baseUrl?.(providerUrl) ?? providerUrl, deviations }
    checks.push(checkRequests(checks.at(-1)?.http ?? http, options))
  }
  return checks
}

function recorded(connector: Connector, answers: unknown[]): Connector {
  return new Proxy(connector, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...inputs: unknown[]) => {
        const answer: unknown = Reflect.apply(value, target, inputs)
        if (!(answer instanceof Promise)) return record(answers, answer)
        return answer.then(
          (given: unknown) => record(answers, given),
          (error: unknown) => {
            answers.push(error)
            throw error
          },
        )
      }
    },
  })
}

function record<Answer>(answers: unknown[], answer: Answer): Answer {
  answers.push(answer)
  return answer
}
