import { access, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Env } from '../programs.ts'
import type { SeedResult } from '../seeds/seed.ts'
import { findProcess } from '../services/process-table.ts'
import { waitUntil } from '../services/wait-until.ts'
import { startDev, type DevRun } from './start-dev.ts'
import { fakeApi, fakeSimulator, programsIn, writeFakePrograms } from './testing/fake-programs.ts'
import { scratchDir } from '../testing/scratch-dir.ts'

const seeded: SeedResult = {
  platformAdmin: { org_id: 'org_p', user_id: 'usr_p', email: 'p@example.com', api_key: 'key_p' },
  orgs: [
    {
      org_id: 'org_a',
      name: 'Acme',
      country: 'GB',
      members: [{ user_id: 'usr_a', email: 'a@example.com', role: 'org-admin', api_key: 'key_a' }],
    },
  ],
}

let scratch: Awaited<ReturnType<typeof scratchDir>>
let dataDir: string
let programsDir: string
let seedEnv: Env = {}
let seedCalls = 0

beforeAll(async () => {
  // Silences the output of the programs.
  vi.spyOn(console, 'log').mockImplementation(() => {})
  scratch = await scratchDir()
  dataDir = join(scratch.path, 'data')
  programsDir = await writeFakePrograms(join(scratch.path, 'programs'))
})

afterAll(async () => {
  vi.restoreAllMocks()
  await scratch.remove()
})

async function start(changed: Partial<Parameters<typeof startDev>[0]> = {}): Promise<DevRun> {
  const seed = async (env: Env) => {
    seedEnv = env
    seedCalls += 1
    return seeded
  }
  const { signal } = new AbortController()
  return startDev({ ports: 'random', dataDir, programs: programsIn(programsDir), seed, signal, ...changed })
}

async function readJson(path: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(path, 'utf8'))
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function runningPids(programs: string): Promise<number[]> {
  const files = [
    join(dataDir, 'postgres.process.json'),
    join(dataDir, 'restate.process.json'),
    join(dataDir, 'chain.process.json'),
    join(programs, 'api.json'),
    join(programs, 'worker.json'),
    join(programs, 'simulator.json'),
  ]
  const records = await Promise.all(
    files.map((file) => readJson(file).catch((): Record<string, string> => ({}))),
  )
  const pids = records.map(({ pid, PID }) => Number(pid ?? PID)).filter((pid) => pid > 0)
  const found = await Promise.all(pids.map(findProcess))
  return pids.filter((_, index) => found[index])
}

async function expectNothingLeft(programs = programsDir): Promise<void> {
  await waitUntil(async () => (await runningPids(programs)).length === 0, {
    what: 'all to end',
  })
  expect(await exists(join(dataDir, 'dev.json'))).toBe(false)
  expect(await exists(join(dataDir, 'config.json'))).toBe(false)
}

describe('a run', () => {
  let run: DevRun

  beforeAll(async () => {
    run = await start()
  })

  afterAll(() => run.stop())

  test('writes its addresses, keys and tokens to dev.json, for its owner only', async () => {
    const path = join(dataDir, 'dev.json')
    const { platformAdmin, orgs, ...addresses } = JSON.parse(await readFile(path, 'utf8'))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(addresses).toEqual({
      api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
      dashboard: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/dashboard$/),
      docs: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/docs$/),
      database: expect.stringMatching(/^postgres:\/\/postgres:[^@]+@127\.0\.0\.1:\d+\/switchyard$/),
      restate: { ingress: expect.any(String), admin: expect.any(String) },
      identity: expect.any(String),
      mail: expect.any(String),
      simulator: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      chain: { rpc: expect.any(String), network: 'BASE', token: expect.stringMatching(/^0x/) },
    })
    expect(platformAdmin).toEqual({ user_id: 'usr_p', api_key: 'key_p', jwt: expect.any(String) })
    expect(orgs).toEqual([
      { ...seeded.orgs[0], members: [{ ...seeded.orgs[0]!.members[0], jwt: expect.any(String) }] },
    ])
  })

  test('writes profiles for the command line, for their owner only', async () => {
    const path = join(dataDir, 'config.json')
    const { current, profiles } = JSON.parse(await readFile(path, 'utf8'))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(current).toBe('dev')
    expect(profiles.dev).toMatchObject({
      base_url: run.file.api.replace(/\/v1$/, ''),
      api_key: run.file.orgs[0]!.members[0]!.api_key,
      environment: 'sandbox',
      simulator: run.file.simulator,
    })
    expect(profiles.operator.api_key).toBe('key_p')
  })

  test('its tokens are valid under the configuration of the api', async () => {
    const { JWT_ISSUER, JWT_AUDIENCE, JWT_JWKS_URL } = await readJson(join(programsDir, 'api.json'))
    const expected = { issuer: String(JWT_ISSUER), audience: String(JWT_AUDIENCE) }
    const { jwt } = run.file.orgs[0]!.members[0]!
    const { payload } = await jwtVerify(jwt, createRemoteJWKSet(new URL(String(JWT_JWKS_URL))), expected)
    expect(payload).toMatchObject({ sub: 'usr_a', org_id: 'org_a', email: 'a@example.com' })
  })

  test('the database exists before the migration', async () => {
    const { DATABASE_OWNER_URL } = await readJson(join(programsDir, 'migrate.json'))
    const client = new Client({ connectionString: String(DATABASE_OWNER_URL) })
    await client.connect()
    expect((await client.query('select current_database() as name')).rows).toEqual([{ name: 'switchyard' }])
    await client.end()
  })

  test('api and worker do not get the owner’s URL, and each has its own metrics port', async () => {
    const [api, worker] = [
      await readJson(join(programsDir, 'api.json')),
      await readJson(join(programsDir, 'worker.json')),
    ]
    expect([api['DATABASE_OWNER_URL'], worker['DATABASE_OWNER_URL']]).toEqual([undefined, undefined])
    expect(api['METRICS_PORT']).not.toBe(worker['METRICS_PORT'])
    expect(Buffer.from(String(api['SECRET_KEY']), 'base64')).toHaveLength(32)
    expect(seedEnv['SEED_FILE']).toBe(join(dataDir, 'seed.json'))
  })

  test('the simulator keeps its state in the data directory, and the others know its address', async () => {
    const { SIMULATOR_STATE_DIR, DATABASE_APP_URL } = await readJson(join(programsDir, 'simulator.json'))
    expect([SIMULATOR_STATE_DIR, DATABASE_APP_URL]).toEqual([join(dataDir, 'simulator'), undefined])
    const { RATE_FEED_URL } = await readJson(join(programsDir, 'worker.json'))
    expect(RATE_FEED_URL).toBe(`${run.file.simulator}/rates`)
    expect(seedEnv['SIMULATOR_URL']).toBe(run.file.simulator)
  })

  test('a simulator that restarts is configured again with its webhook URLs', async () => {
    const before = seedCalls
    await writeFile(join(programsDir, 'simulator.ts'), `${fakeSimulator}// changed`)
    await waitUntil(() => seedCalls > before, { what: 'the seed to be called again' })
    expect(seedCalls).toBe(before + 1)
  })

  test('a change of code restarts the program', async () => {
    const pid = async () => (await fetch(run.file.docs)).text()
    const before = await pid()
    await writeFile(join(programsDir, 'api.ts'), `${fakeApi}// changed`)
    const changed = () =>
      pid().then(
        (now) => now !== before,
        () => false,
      )
    expect(await waitUntil(changed, { what: 'the api to restart' })).toBe(true)
  })

  test('a second run in the same directory is refused and does not disturb the first', async () => {
    await writeFile(
      join(dataDir, 'runner.json'),
      JSON.stringify({ pid: process.ppid, command: await parentCommand() }),
    )
    await expect(start()).rejects.toThrow('already runs Switchyard')
    expect(await exists(join(dataDir, 'dev.json'))).toBe(true)
  })

  test('a stop leaves no process behind, and the next run has the same ports and secrets', async () => {
    const before = { file: run.file, env: seedEnv }
    await run.stop()
    await expectNothingLeft()
    run = await start()
    expect(run.file.api).toBe(before.file.api)
    expect(seedEnv).toEqual(before.env)
  })

  test('a killed run leaves no process behind', async () => {
    run.killNow()
    expect(await run.broken).toMatch(/exited \(signal SIGKILL\)/)
    await run.stop()
    await expectNothingLeft()
  })
})

async function parentCommand(): Promise<string> {
  return (await findProcess(process.ppid))?.command ?? ''
}

describe('a start that fails stops everything and reports why', () => {
  test('when the migration fails', async () => {
    const broken = await writeFakePrograms(join(scratch.path, 'bad-migrate'), {
      migrate: `throw new Error('bad SQL')`,
    })
    await expect(start({ programs: programsIn(broken) })).rejects.toThrow('bad SQL')
    await expectNothingLeft(broken)
  })

  test('when the worker breaks', async () => {
    const broken = await writeFakePrograms(join(scratch.path, 'bad-worker'), {
      worker: `throw new Error('no')`,
    })
    await expect(start({ programs: programsIn(broken) })).rejects.toThrow(
      'worker failed at start, see its lines above',
    )
    await expectNothingLeft(broken)
  })

  test('when the seed fails', async () => {
    const seed = () => Promise.reject(new Error('no seed'))
    await expect(start({ seed })).rejects.toThrow('no seed')
    await expectNothingLeft()
  })

  test('when it is stopped while starting', async () => {
    const starting = new AbortController()
    const silent = await writeFakePrograms(join(scratch.path, 'silent'), {
      api: `setInterval(() => {}, 1000)`,
    })
    const seed = async () => {
      starting.abort(new Error('stopped while starting'))
      return seeded
    }
    await expect(start({ programs: programsIn(silent), seed, signal: starting.signal })).rejects.toThrow(
      'stopped while starting',
    )
    await expectNothingLeft(silent)
  })
})
