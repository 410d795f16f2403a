import fc from 'fast-check'
import { Pool } from 'undici'
import { createOpenApiCheck } from '@switchyard/server/test/contract/openapi-check.ts'
import { Ids } from './ids.ts'
import { createJudge, strangerProblem, type Judge, type Reply } from './judge.ts'
import { planOf, type Plan } from './plan.ts'
import { curlOf, inWordsOf, isSentBy, requestOf, type Actor, type Request } from './request.ts'
import { createReport, findingText, type FuzzReport, type Outcome } from './report.ts'
import { resolverOf, routesOf, type OpenApi } from './routes.ts'
import { cpuLimitMs, cpuMsOfProcess, createCpuWatch, type CpuWatch } from './processor-time.ts'
import { isVisibleTo } from './visible.ts'
import type { FuzzInstallation } from './installation.ts'

type FuzzOptions = { requests: number; seed: number; print: (line: string) => void }

const connections = 32
const batchSize = 500
const findingsLimit = 50
const answerLimitMs = 20_000
const shownAnswerChars = 600
const requestsPerLine = 10_000

/** Sends the requests that the seed plans, and checks every answer against the OpenAPI document. */
export async function fuzz(installation: FuzzInstallation, options: FuzzOptions): Promise<FuzzReport> {
  const http = new Pool(installation.url, {
    connections,
    bodyTimeout: answerLimitMs,
    headersTimeout: answerLimitMs,
  })
  try {
    return await run(installation, http, options)
  } finally {
    await http.destroy()
  }
}

async function run(installation: FuzzInstallation, http: Pool, options: FuzzOptions): Promise<FuzzReport> {
  const served = await send(http, { method: 'GET', path: '/openapi.json', headers: [], body: undefined })
  const document = served.body as OpenApi // our own
  const routes = routesOf(document)
  const plans = planOf(routes, resolverOf(document), oftenThoseWhoMay(installation.actors))
  const ids = new Ids(installation.actorIds)
  for (const { org, orgId } of installation.actors) if (orgId !== '') ids.add(org, 'org_id', orgId)
  const judge = createJudge(createOpenApiCheck(document), {
    ids,
    // The operator acts in every organisation, so its canary may appear in all of them.
    orgs: [...new Set(installation.actors.map(({ org }) => org))].filter((org) => org !== 'platform'),
  })
  const report = createReport(routes)
  const watch = createCpuWatch(() => cpuMsOfProcess(installation.apiPid))
  const queue = plansIn(plans, options)
  const worker = async (): Promise<void> => {
    // All workers share one queue, so a slow request does not delay the others.
    for (const plan of queue) {
      const outcome = await ask({ installation, http, ids, judge, watch }, plan)
      report.add(plan.route, outcome)
      for (const finding of outcome.findings) options.print(findingText(finding))
      if (report.requests() % requestsPerLine === 0) options.print(report.line())
      if (report.findings.length >= findingsLimit) return
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  for (const { describe, cpuMs, request } of await watch.convict((one) => send(http, one))) {
    const problem = `${describe}: took ${cpuMs} ms of processor time, more than ${cpuLimitMs}`
    const finding = { problem, who: 'the same actor', curl: curlOf(installation.url, request), answer: '' }
    report.findings.push(finding)
    options.print(findingText(finding))
  }
  options.print(watch.line())
  await assertReady(http)
  return report
}

async function assertReady(http: Pool): Promise<void> {
  const { status, text } = await send(http, { method: 'GET', path: '/readyz', headers: [], body: undefined })
  if (status !== 200) throw new Error(`the server is not ready after the run: ${status} ${text}`)
}

type Asking = { installation: FuzzInstallation; http: Pool; ids: Ids; judge: Judge; watch: CpuWatch }

async function ask({ installation, http, ids, judge, watch }: Asking, plan: Plan): Promise<Outcome> {
  const { actors } = installation
  const planned = actors[plan.actor] as Actor // the plan was made for this many actors
  const stranger = actors[Math.floor(plan.actor + actors.length / 2) % actors.length] as Actor // the index is within bounds
  const draft = requestOf(plan, planned, { ids, stranger })
  // If a header was replaced by the stranger's, the stranger is the sender.
  const actor = isSentBy(stranger, draft) && !isSentBy(planned, draft) ? stranger : planned
  const request = inWordsOf(actor, planned, draft)
  ids.noteSent(actor.org, `${request.path} ${request.body ?? ''}`)
  const reply = await watch.around(request, plan.route.name, () => send(http, request))
  const problems: string[] = []
  for (const problem of judge({ route: plan.route, actor, request, reply })) {
    const id = problem.startsWith(strangerProblem) ? problem.slice(strangerProblem.length + 1) : undefined
    if (id === undefined || !(await isVisibleTo(installation.owner, actor.orgId, id))) problems.push(problem)
  }
  if (reply.status < 300) ids.harvest(actor.org, reply.body, reply.text)
  const shown = {
    who: `${actor.name} of ${actor.org}`,
    curl: curlOf(installation.url, request),
    answer: `${reply.status} ${reply.text.slice(0, shownAnswerChars)}`,
  }
  return {
    reply,
    findings: problems.map((problem) => ({ problem: `${plan.route.name}: ${problem}`, ...shown })),
  }
}

async function send(http: Pool, request: Request): Promise<Reply> {
  try {
    const response = await http.request({
      method: request.method,
      path: request.path,
      headers: request.headers.flat(),
      ...(request.body !== undefined && { body: request.body }),
    })
    const text = await response.body.text()
    const contentType = String(response.headers['content-type'] ?? '')
    return {
      status: response.statusCode,
      text,
      contentType,
      body: contentType.includes('json') && text !== '' ? JSON.parse(text) : text,
    }
  } catch (error) {
    return { status: 599, text: `no answer: ${String(error)}`, contentType: '', body: undefined }
  }
}

/** Administrators send more requests; otherwise most would be refused for a missing permission. */
const oftenThoseWhoMay = (actors: readonly Actor[]): number[] =>
  actors.flatMap(({ name }, index) => Array.from({ length: name.includes('admin') ? 4 : 1 }, () => index))

/** Generates the plans lazily; the same seed gives the same plans. */
function* plansIn(plans: fc.Arbitrary<Plan>, { requests, seed }: FuzzOptions): Generator<Plan, void> {
  for (let made = 0; made < requests; made += batchSize)
    yield* fc.sample(plans, { seed: seed + made, numRuns: Math.min(batchSize, requests - made) })
}
