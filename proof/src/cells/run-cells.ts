import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { createCallOnce, type CallOnce } from '../shared/call-once.ts'
import { formatViolation, lostOrDoubled } from '../shared/check-payments.ts'
import {
  bodyOf,
  startSteadyLoad,
  ugandans,
  type PhaseReport,
  type SentPayment,
  type SteadyLoad,
} from '../shared/steady-load.ts'
import { orgOfReference, startCells, type Cells, type Member } from './cells.ts'
import { checkCells } from './check-cells.ts'
import { createDirectory, type Directory } from './directory.ts'
import { startGateway } from './gateway.ts'
import { moveOrganisation, type Moved } from './move-organisation.ts'

type Print = (line: string) => void

type CellsOptions = {
  /** How many payments the organisation has before it moves. */
  payments: number
  perSecond: number
  /** How long payments go on before and after the move. */
  seconds: number
  /** The longest that a request may take, and that the organisation may be fenced. */
  limitMs: number
  print: Print
}

type CellsReport = {
  phases: PhaseReport[]
  moved: Moved
  acknowledged: number
  inNewCell: number
  problems: string[]
}

type Setting = CellsOptions & { cells: Cells; directory: Directory; calls: CallOnce; gatewayUrl: string }

const secondMs = 1_000
const quietLimitMs = 120 * secondMs
const fillLanes = 8
const tries = 20
const initiate = '/v1/payments-init/initiate'
const staleReference = 'sent-by-a-stale-gateway'

/** Runs two cells and moves an organisation from one to the other while its payments go on. */
export async function runCells(options: CellsOptions): Promise<CellsReport> {
  const scratch = await scratchDir()
  const calls = createCallOnce()
  const directory = createDirectory()
  const port = await freePort()
  const cells = await startCells(scratch.path, `http://127.0.0.1:${port}`)
  const members = [cells.mover, cells.stayer, cells.resident]
  for (const { orgId } of members) directory.place(orgId, cells.old.name)
  const gateway = await startGateway({
    port,
    directory,
    urlOf: (cell) => (cell === cells.old.name ? cells.old : cells.fresh).apiUrl,
    orgOfKey: (key) => members.find((member) => member.key === key)?.orgId,
    orgOfNotice: (body) => orgOfReference(cells, body),
    holdMs: options.limitMs,
  })
  try {
    return await runMove({ ...options, cells, directory, calls, gatewayUrl: gateway.url })
  } finally {
    await gateway.stop()
    await calls.stop()
    await cells.stop()
    await scratch.remove()
  }
}

async function runMove(setting: Setting): Promise<CellsReport> {
  const { cells, seconds, print } = setting
  await move(setting, cells.resident, { print: () => undefined })
  await fill(setting)
  const load = startSteadyLoad({
    perSecond: setting.perSecond,
    prefix: `cells-${randomUUID().slice(0, 8)}`,
    post: poster(setting),
  })
  const problems: string[] = []
  try {
    load.begin('before the move')
    await delay(seconds * secondMs)
    load.begin('during the move')
    const reads = watchReads(setting, load)
    const moved = await move(setting, cells.mover, {
      whileFenced: async () => void problems.push(...(await refusesStaleGateway(setting))),
      print,
    })
    load.begin('after the move')
    await delay(seconds * secondMs)
    problems.push(...(await reads.stop()))
    const phases = await load.stop()
    return await judge(setting, { load, phases, moved, problems })
  } finally {
    await load.stop()
  }
}

const move = (
  { cells, directory }: Setting,
  { orgId }: Member,
  { print, whileFenced = () => Promise.resolve() }: { print: Print; whileFenced?: () => Promise<void> },
): Promise<Moved> =>
  moveOrganisation({
    orgId,
    from: cells.old,
    to: cells.fresh,
    directory,
    rebuild: () => cells.fresh.rebuild(),
    whileFenced,
    print,
  })

/** One payment in four is of another organisation: the one that stays in the old cell, or the one in the new cell. */
function payerOf({ mover, stayer, resident }: Cells, index: number): Member {
  if (index % 4 !== 0) return mover
  return index % 8 === 0 ? stayer : resident
}

/** As a client does: it repeats a call with the same key while the service is unavailable. */
const poster =
  ({ cells, calls, gatewayUrl }: Setting) =>
  async ({ index, ...payment }: SentPayment): Promise<{ status: number; text: string }> => {
    const { key } = payerOf(cells, index)
    for (let attempt = 1; ; attempt += 1) {
      const answer = await calls.post(initiate, { ...payment, origin: gatewayUrl, key })
      if (answer.status !== 503 || attempt === tries) return answer
      await delay(secondMs / 4)
    }
  }

/**
 * Payments that the organisation has made before, and a tenth as many of the one in the new cell. One that fails is made
 * again under another reference.
 */
async function fill({ cells, calls, gatewayUrl, payments, print }: Setting): Promise<void> {
  const startedAt = performance.now()
  const prefix = `past-${randomUUID().slice(0, 8)}`
  let [next, made] = [0, 0]
  const post = async (index: number, { orgId, key }: Member): Promise<boolean> => {
    const body = bodyOf(ugandans, `${prefix}-${orgId}-${index}`, index)
    return (await calls.post(initiate, { body, origin: gatewayUrl, key })).status === 200
  }
  const lane = async (): Promise<void> => {
    while (made < payments && next < 2 * payments + fillLanes) {
      const index = next++
      if (await post(index, cells.mover)) made += 1
      if (index % 10 === 0) await post(index, cells.resident)
    }
  }
  await Promise.all(Array.from({ length: fillLanes }, lane))
  if (made < payments) throw new Error(`only ${made} of ${next} payments could be made`)
  print(`${made} payments were made in ${((performance.now() - startedAt) / secondMs).toFixed(0)} s`)
}

/** Reads acknowledged payments all the time; each must be found, and none may take long. */
function watchReads(setting: Setting, load: SteadyLoad): { stop(): Promise<string[]> } {
  const { cells, gatewayUrl, limitMs } = setting
  const problems: string[] = []
  let isStopped = false
  const run = async (): Promise<void> => {
    for (let turn = 0; !isStopped; turn += 1) {
      const mine = load.acknowledged.filter(({ reference }) => Number(reference.split('-').at(-1)) % 4 !== 0)
      const payment = mine[(turn * 7) % Math.max(mine.length, 1)]
      if (payment) {
        const startedAt = performance.now()
        const headers = { authorization: 'NONE', 'x-api-key': cells.mover.key }
        const response = await fetch(`${gatewayUrl}/v1/payments/${payment.paymentId}`, { headers })
        await response.text()
        const ms = performance.now() - startedAt
        if (response.status !== 200) problems.push(`reading ${payment.paymentId} returned ${response.status}`)
        if (ms > limitMs) problems.push(`reading ${payment.paymentId} took ${ms.toFixed(0)} ms`)
      }
      await delay(20)
    }
  }
  const running = run().catch((error: unknown) => void problems.push(`a read failed: ${String(error)}`))
  return {
    async stop() {
      isStopped = true
      await running
      return problems
    },
  }
}

/** A gateway whose copy of the directory is old sends a write to the old cell, whose fence has to refuse it. */
async function refusesStaleGateway({ cells, calls }: Setting): Promise<string[]> {
  const body = bodyOf(ugandans, staleReference, 0)
  const { status } = await calls.post(initiate, {
    origin: cells.old.apiUrl,
    key: cells.mover.key,
    body,
  })
  return status >= 500 ? [] : [`the old cell answered a write under the fence with ${status}`]
}

type Judged = { load: SteadyLoad; phases: PhaseReport[]; moved: Moved; problems: readonly string[] }

async function judge(setting: Setting, { load, phases, moved, problems }: Judged): Promise<CellsReport> {
  const { cells, limitMs } = setting
  const { evidence, violations } = await checkCells(cells, quietLimitMs)
  const stale = evidence.payments.filter(({ clientReference }) => clientReference === staleReference)
  const slow = phases.filter(({ maxMs }) => maxMs > limitMs)
  const count = async (owner: typeof cells.old.owner): Promise<number> =>
    (await owner.query('select from payments where org_id = $1', [cells.mover.orgId])).rowCount ?? 0
  const [left, inNewCell] = [await count(cells.old.owner), await count(cells.fresh.owner)]
  return {
    phases,
    moved,
    acknowledged: load.acknowledged.length,
    inNewCell,
    problems: [
      ...problems,
      ...load.failures,
      ...lostOrDoubled(load.acknowledged, evidence),
      ...violations.map(formatViolation),
      ...slow.map(
        ({ phase, maxMs }) => `${phase}: a request took ${maxMs.toFixed(0)} ms, longer than ${limitMs} ms`,
      ),
      ...(moved.fencedMs > limitMs ? [`the fence stood for ${moved.fencedMs.toFixed(0)} ms`] : []),
      ...stale.map(({ paymentId }) => `${paymentId} was written under the fence`),
      ...(left > 0 ? [`${left} payments are still in the old cell`] : []),
      ...cells.unexpectedExits(),
    ],
  }
}
