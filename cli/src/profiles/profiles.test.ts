import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess, testIo } from '../testing/test-io.ts'
import { chooseProfile } from './choose-profile.ts'
import { readConfig, writeConfig, type Profile } from './config-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'switchyard-cli-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const home = join(directory, 'home')
const path = join(home, 'switchyard/config.json')
const env = { XDG_CONFIG_HOME: home }
beforeEach(() => rmSync(home, { recursive: true, force: true }))

const profileAt = (base_url: string, changes: Partial<Profile> = {}): Profile => ({
  base_url,
  api_key: 'sy_live_stored',
  environment: 'production',
  ...changes,
})

const me = {
  email: 'ada@example.com',
  role: 'org-admin',
  org_id: 'org-1',
  credential: 'api_key',
  permissions: [],
}
const answerMe: typeof fetch = () =>
  Promise.resolve(new Response(JSON.stringify({ status: 'success', data: me })))

describe('the configuration file', () => {
  it('is complete even if its writer is killed, and only its owner can read it', async () => {
    for (let round = 0; round < 4; round++) {
      const writer = spawn(process.execPath, [join(import.meta.dirname, '../testing/write-forever.ts'), path])
      await once(writer.stdout, 'data')
      await sleep(round * 17)
      writer.kill('SIGKILL')
      await once(writer, 'exit')
      expect(Object.keys(readConfig(path)?.profiles ?? {})).toEqual(['one'])
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
    expect(statSync(join(home, 'switchyard')).mode & 0o777).toBe(0o700)
  })

  it('is replaced atomically, and no draft is left', () => {
    writeConfig(path, { current: 'a', profiles: { a: profileAt('https://a.example') } })
    writeConfig(path, { current: 'b', profiles: { b: profileAt('https://b.example') } })
    expect(readConfig(path)?.current).toBe('b')
    expect(readdirSync(join(home, 'switchyard'))).toEqual(['config.json'])
  })

  it('that others can read is reported, and an invalid one is refused', () => {
    writeConfig(path, { current: 'a', profiles: { a: profileAt('https://a.example') } })
    chmodSync(path, 0o644)
    const io = testIo({ env })
    expect(chooseProfile(io, undefined).name).toBe('a')
    expect(io.said.join('\n')).toContain('chmod 600')
    writeFileSync(path, 'garbage sy_live_secret')
    expect(() => chooseProfile(io, undefined)).toThrow(/is not a valid configuration/)
  })
})

describe('login, use and logout', () => {
  const login = (args: readonly string[], stdin: string) =>
    runInProcess(['login', ...args], { env, stdin, fetch: answerMe })

  it('save, select and remove a key that never appears in an argument or a message', async () => {
    const first = await login(['https://pay.example.com/v1/', '--profile', 'live'], 'sy_live_first\n')
    expect(first).toMatchObject({ code: 0, printed: [] })
    expect(first.said).toContain('as ada@example.com (org-admin), profile live, production')
    await login(['http://127.0.0.1:8080', '--profile', 'here'], 'sy_live_second')
    expect(readConfig(path)).toEqual({
      current: 'here',
      profiles: {
        live: profileAt('https://pay.example.com', { api_key: 'sy_live_first', org_id: 'org-1' }),
        here: profileAt('http://127.0.0.1:8080', {
          api_key: 'sy_live_second',
          org_id: 'org-1',
          environment: 'sandbox',
        }),
      },
    })
    expect((await runInProcess(['use', 'live'], { env })).code).toBe(0)
    expect(readConfig(path)?.current).toBe('live')
    expect((await runInProcess(['use', 'nobody'], { env })).code).toBe(2)
    const out = await runInProcess(['logout'], { env })
    expect(out.said).toContain('Removed profile live')
    expect(Object.keys(readConfig(path)?.profiles ?? {})).toEqual(['here'])
    expect(`${first.said}${out.said}`).not.toMatch(/sy_live_(?:first|second)/)
  })

  it('do not save a key that the installation refuses', async () => {
    const body = JSON.stringify({ status: 'error', message: 'Unknown key.', code: 'UNAUTHORIZED' })
    const run = await runInProcess(['login', 'https://pay.example.com'], {
      env,
      stdin: 'sy_live_wrong',
      fetch: () => Promise.resolve(new Response(body, { status: 401 })),
    })
    expect(run.code).toBe(1)
    expect(readConfig(path)).toBeUndefined()
  })
})

describe('the profile', () => {
  it('is that of the environment before all others', () => {
    writeConfig(path, { current: 'a', profiles: { a: profileAt('https://a.example', { org_id: 'org-a' }) } })
    const io = testIo({ env: { ...env, SWITCHYARD_API_KEY: 'sy_live_env' } })
    const chosen = chooseProfile(io, undefined)
    expect(chosen).toMatchObject({
      api_key: 'sy_live_env',
      base_url: 'https://a.example',
      environment: 'production',
    })
    expect(chosen.org_id).toBeUndefined()
    const elsewhere = { ...io.env, SWITCHYARD_BASE_URL: 'http://localhost:9' }
    expect(chooseProfile(testIo({ env: elsewhere }), undefined).environment).toBe('sandbox')
  })

  it('of `npm run dev` is found in the parent folders, unless it points to another machine', () => {
    const repository = join(directory, 'repository')
    const inside = join(repository, 'sub/folder')
    mkdirSync(inside, { recursive: true })
    writeConfig(path, { current: 'a', profiles: { a: profileAt('https://a.example') } })
    const local = join(repository, '.switchyard/config.json')
    writeConfig(local, { current: 'dev', profiles: { dev: profileAt('http://127.0.0.1:8080') } })
    expect(chooseProfile(testIo({ env, cwd: inside }), undefined)).toMatchObject({
      name: 'dev',
      environment: 'sandbox',
    })
    expect(chooseProfile(testIo({ env, cwd: inside }), 'a').name).toBe('a')
    writeConfig(local, { current: 'dev', profiles: { dev: profileAt('https://elsewhere.example') } })
    const withKey = { ...env, SWITCHYARD_API_KEY: 'sy_live_env' }
    expect(chooseProfile(testIo({ env: withKey, cwd: inside }), undefined).base_url).toBe('https://a.example')
  })

  it('that does not exist is wrong usage', async () => {
    const run = await runInProcess(['whoami', '--profile', 'nobody'], { env })
    expect(run.code).toBe(2)
    expect(run.said).toContain('There is no profile nobody')
    expect((await runInProcess(['whoami'], { env })).said).toContain('switchyard login')
  })
})
