import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../lib/errors.ts'
import { noEffects, watchEffects } from '../../../../lib/flow/watch-effects.ts'
import { useStarted } from '../../../../../test/app/use-started.ts'
import type { YenteServer } from './record.ts'
import { createYenteClient, type YenteClient } from './find-names.ts'
import { startFakeYente } from './testing/fake-yente.ts'

const yente = useStarted(startFakeYente, (fake) => fake.close())
const listed = {
  id: 'NK-1',
  schema: 'Person',
  properties: { name: ['Oluakin Nduezemi'], country: ['ng'], birthDate: ['1948-12-10'] },
}
const company = { id: 'NK-2', schema: 'Company', properties: { name: ['Nduezemi Trading Works'] } }

const serverOf = (change: Partial<YenteServer> = {}): YenteServer => ({
  url: yente.url,
  dataset: 'sanctions',
  apiKey: undefined,
  algorithm: 'logic-v2',
  threshold: 0.7,
  timeoutMs: 10_000,
  ...change,
})
const client = (change: Partial<YenteServer> = {}): YenteClient => {
  yente.entities = [listed, company]
  yente.search = 'answers'
  yente.catalog = 'answers'
  yente.apiKey = undefined
  yente.seen = []
  return createYenteClient(serverOf(change))
}
const idsOf = async (found: ReturnType<YenteClient['search']>): Promise<string[]> =>
  (await found).map(({ id }) => id)

describe('a search', () => {
  it('finds a listed person, and names the dataset, the algorithm and the threshold', async () => {
    const found = await client().search({ name: 'Oluakin Nduezemi' })
    expect(found).toMatchObject([{ id: 'NK-1', score: 1, match: true }])
    expect(yente.seen).toMatchObject([
      {
        method: 'POST',
        path: '/match/sanctions?algorithm=logic-v2&threshold=0.7&limit=10',
        authorization: undefined,
      },
    ])
    expect(await client().search({ name: 'Grace Wanjiru' })).toEqual([])
  })

  it.each([
    ['another country', { country: 'KE' }],
    ['another date of birth', { dateOfBirth: '1990-01-01' }],
  ])('%s does not hide a name that is exactly the listed one', async (_title, known) => {
    const found = await client().search({ name: 'Oluakin Nduezemi', ...known })
    expect(found).toMatchObject([{ id: 'NK-1', match: true }])
  })

  it('a date of birth does not hide a company', async () => {
    const person = { name: 'Nduezemi Trading Works', dateOfBirth: '1990-01-01' }
    expect(await idsOf(client().search(person))).toEqual(['NK-2'])
  })

  it('another date of birth counts against a name that is only alike', async () => {
    const one = client({ threshold: 0.75 })
    yente.entities = [{ ...listed, properties: { ...listed.properties, name: ['Oluakin Tam Nduezemi'] } }]
    const alike = { name: 'Oluakin Rem Nduezemi' }
    expect(await one.search(alike)).toMatchObject([{ id: 'NK-1', match: true }])
    expect(await one.search({ ...alike, dateOfBirth: '1990-01-01' })).toMatchObject([{ match: false }])
  })

  it('sends the API key, and works behind a path', async () => {
    const one = client({ apiKey: 'secret' })
    yente.apiKey = 'secret'
    expect(await idsOf(one.search({ name: 'Oluakin Nduezemi' }))).toEqual(['NK-1'])
    await client({ url: `${yente.url}/below` })
      .search({ name: 'Oluakin Nduezemi' })
      .catch(() => undefined)
    expect(yente.seen.at(-1)?.path).toMatch(/^\/below\/match\/sanctions\?/)
  })

  it('keeps its connections', async () => {
    const one = client()
    const { connections } = yente
    for (let count = 0; count < 10; count++) await one.search({ name: 'Grace Wanjiru' })
    expect(yente.connections - connections).toBeLessThanOrEqual(2)
  })

  it('is no effect of a request, so that a request without an answer may be sent again with its key', async () => {
    const effects = noEffects()
    await new Promise<void>((resolve, reject) =>
      watchEffects(effects, () => {
        client()
          .search({ name: 'Oluakin Nduezemi' })
          .then(() => resolve(), reject)
      }),
    )
    expect(effects.hasActed).toBe(false)
  })
})

/** Everything that an error says to the caller or to the log. */
function textsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [error.message, error.stack, textsOf(error.cause)].join('\n')
}
const failure = async (asked: Promise<unknown>): Promise<AppError> => {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw new Error(`not refused: ${String(error)}`)
  return error
}

describe('a person is not screened, and nobody’s name is in the error,', () => {
  const person = { name: 'Oluakin Nduezemi', dateOfBirth: '1948-12-10' }

  it.each([
    ['fails', 'fails', 'status 500'],
    ['answers with something else than JSON', 'malformed', 'the answer cannot be read'],
    ['does not stop answering', 'huge', 'AnswerTooLarge'],
  ] as const)('if the server %s', async (_title, how, reason) => {
    const asking = client()
    yente.search = how
    const error = await failure(asking.search(person))
    expect([error.status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(textsOf(error)).toContain(reason)
    expect(textsOf(error)).not.toMatch(/oluakin|nduezemi|1948/i)
  })

  it('if the server hangs', async () => {
    const asking = client({ timeoutMs: 100 })
    yente.search = 'hangs'
    const error = await failure(asking.search(person))
    expect(error.status).toBe(503)
    expect(textsOf(error)).toContain('TimeoutError')
    expect(textsOf(error)).not.toMatch(/oluakin|nduezemi|1948/i)
  })

  it.each([
    ['nobody answers', { url: 'http://127.0.0.1:1' }, 'ECONNREFUSED'],
    ['the server does not have the dataset', { dataset: 'nothing' }, 'status 404'],
    ['the server does not know the algorithm', { algorithm: 'guess' }, 'status 400'],
  ])('if %s', async (_title, change, reason) => {
    const error = await failure(client(change).search(person))
    expect(error.status).toBe(503)
    expect(textsOf(error)).toContain(reason)
  })

  it('if the server refuses the key', async () => {
    const asking = client({ apiKey: 'wrong' })
    yente.apiKey = 'secret'
    expect(textsOf(await failure(asking.search(person)))).toContain('status 401')
  })

  it.each([
    ['a query has no answer', { responses: {} }],
    [
      'a result has no score',
      { responses: { anybody: { status: 200, results: [{ id: '1', caption: 'A', match: true }] } } },
    ],
    ['a query failed', { responses: { anybody: { status: 500, results: [] } } }],
  ])('if %s', async (_title, answer) => {
    const asking = client()
    yente.search = answer
    expect((await failure(asking.search({ name: 'Grace Wanjiru' }))).status).toBe(503)
  })
})

describe('the catalog', () => {
  it('is read once until it changes', async () => {
    const one = client()
    expect(await one.readCatalog()).toMatchObject([{ name: 'sanctions' }])
    expect(await one.readCatalog()).toBeUndefined()
    yente.datasets = [{ name: 'sanctions', version: '2', index_version: '2' }]
    expect(await one.readCatalog()).toMatchObject([{ name: 'sanctions', index_version: '2' }])
  })

  it.each([
    ['fails', 'fails'],
    ['answers with something else than JSON', 'malformed'],
    ['does not stop answering', 'huge'],
  ] as const)('is refused if the server %s', async (_title, how) => {
    const one = client()
    yente.catalog = how
    expect((await failure(one.readCatalog())).status).toBe(503)
  })

  it('the server says whether it is ready', async () => {
    await client().checkReady()
    expect((await failure(client({ url: `${yente.url}/nowhere` }).checkReady())).status).toBe(503)
  })
})
