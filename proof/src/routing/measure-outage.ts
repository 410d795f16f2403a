/** The first attempt of a payment, and which api has routed it. */
export type FirstAttempt = { api: number; provider: string; atMs: number }

type Outage = { provider: string; fromMs: number; toMs: number; apis: number }

export type OutageFigures = {
  /** For each api: seconds from the start of the outage until only probes went to the provider. */
  awaySeconds: number[]
  /** First attempts at the provider during the outage, before its traffic was away. */
  sentMeanwhile: number
  /** First attempts at the provider during the outage, after its traffic was away. */
  probes: number
  /** For each api: seconds from the end of the outage until every payment went to the provider first again. */
  backSeconds: (number | undefined)[]
}

/** A process lets one payment in two seconds try a route that is down; clocks differ by a little. */
const probeEveryMs = 1_900
const secondMs = 1_000

/** What the first attempts show of an outage of the provider that is preferred. */
export function measureOutage(attempts: readonly FirstAttempt[], outage: Outage): OutageFigures {
  const byApi = Array.from({ length: outage.apis }, (_none, api) =>
    attempts.filter((attempt) => attempt.api === api).toSorted((a, b) => a.atMs - b.atMs),
  )
  const awayMs = byApi.map((ofApi) => awayAt(ofApi, outage))
  const during = byApi.map((ofApi, api) =>
    ofApi
      .filter(({ provider, atMs }) => provider === outage.provider && isWithin(atMs, outage))
      .map(({ atMs }) => atMs <= (awayMs[api] ?? 0)),
  )
  return {
    awaySeconds: awayMs.map((ms) => Math.max(0, ms - outage.fromMs) / secondMs),
    sentMeanwhile: during.flat().filter((isBefore) => isBefore).length,
    probes: during.flat().filter((isBefore) => !isBefore).length,
    backSeconds: byApi.map((ofApi) => backAfter(ofApi, outage)),
  }
}

const isWithin = (atMs: number, { fromMs, toMs }: Outage): boolean => atMs >= fromMs && atMs < toMs

/** The last attempt that followed the one before sooner than a probe would. */
function awayAt(ofApi: readonly FirstAttempt[], { provider, fromMs, toMs }: Outage): number {
  const times = ofApi.filter((one) => one.provider === provider && one.atMs < toMs).map(({ atMs }) => atMs)
  const last = times.findLast((atMs, index) => atMs - (times[index - 1] ?? -Infinity) < probeEveryMs)
  return Math.max(fromMs, last ?? fromMs)
}

function backAfter(ofApi: readonly FirstAttempt[], { provider, toMs }: Outage): number | undefined {
  const later = ofApi.filter(({ atMs }) => atMs >= toMs)
  const lastElsewhere = later.findLastIndex((attempt) => attempt.provider !== provider)
  const back = later[lastElsewhere + 1]
  return back && (back.atMs - toMs) / secondMs
}
