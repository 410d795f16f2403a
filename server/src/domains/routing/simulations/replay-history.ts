import { compareOutcomes } from './compare-outcomes.ts'
import { createCandidateReader, toReplayPayment } from './load-payments.ts'
import type { Simulation, SimulationDeps, SimulationIds } from './record.ts'
import { createReplay } from './replay-payments.ts'
import {
  countPayments,
  findSimulation,
  finishSimulation,
  selectReplayPage,
  updateProgress,
  type ReplayPosition,
  type ReplayRow,
} from './store.ts'

/** Small enough that the worker's other jobs do not wait while a page is decided about. */
const pageSize = 2_000
const paymentsLimit = 2_000_000
const progressEveryMs = 1_000
const firstId = '00000000-0000-0000-0000-000000000000'

/** Reads the payments page by page in the order of time; the memory that it needs does not grow with them. */
export async function replayHistory(deps: SimulationDeps, ids: SimulationIds): Promise<void> {
  const { orgId, simulationId } = ids
  const simulation = await deps.db.inOrg(orgId, (tx) => findSimulation(tx, orgId, simulationId))
  if (!simulation || simulation.status === 'completed' || simulation.status === 'failed') return
  const paymentsTotal = await deps.db.inOrg(orgId, (tx) => countPayments(tx, orgId, simulation))
  let reportedAt = 0
  const report = async (paymentsRead: number): Promise<void> => {
    if (performance.now() - reportedAt < progressEveryMs) return
    reportedAt = performance.now()
    await deps.db.inOrg(orgId, (tx) =>
      updateProgress(tx, orgId, simulationId, { paymentsRead, paymentsTotal }),
    )
  }
  await report(0)
  const { result, paymentsRead } = await readAll(deps, simulation, report)
  await deps.db.inOrg(orgId, (tx) =>
    finishSimulation(tx, orgId, simulationId, { result, paymentsRead, at: deps.clock.now() }),
  )
}

/** An error is thrown where the page is awaited; until then it must not count as unhandled. */
function readAhead<Page>(page: Promise<Page>): Promise<Page> {
  page.catch(() => undefined)
  return page
}

async function readAll(
  deps: SimulationDeps,
  simulation: Simulation,
  report: (paymentsRead: number) => Promise<void>,
) {
  const { orgId, policy: document, from, to } = simulation
  const replay = createReplay(document)
  const read = { candidatesOf: createCandidateReader(), cardBins: deps.cardBins }
  const withMetadata = document.rules.some(({ when }) => when.metadata ?? when.customer_type)
  const readPage = (after: ReplayPosition): Promise<ReplayRow[]> =>
    deps.db.inOrg(orgId, (tx) => selectReplayPage(tx, orgId, { to, after, limit: pageSize, withMetadata }))
  let next = readPage({ createdAt: new Date(from.getTime() - 1), paymentId: firstId })
  let paymentsRead = 0
  let skipped = 0
  let isTruncated = false
  for (let isLast = false; !isLast;) {
    const page = await next
    const last = page.at(-1)
    paymentsRead += page.length
    isTruncated = paymentsRead >= paymentsLimit
    isLast = !last || page.length < pageSize || isTruncated
    // Postgres reads the next page while this one is decided about.
    if (last && !isLast) next = readAhead(readPage({ createdAt: last.at, paymentId: last.paymentId }))
    for (const row of page) {
      const payment = toReplayPayment(row, read)
      if (payment) replay.add(payment)
      else skipped++
    }
    await report(paymentsRead)
  }
  return { result: compareOutcomes(replay.corridors(), { document, skipped, isTruncated }), paymentsRead }
}
