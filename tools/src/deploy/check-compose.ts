import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Client } from 'pg'
import type { SeedResult } from '@switchyard/stack/seeds/seed.ts'
import { firstAdmin } from '@switchyard/stack/seeds/seed.ts'
import { createCleanup, type Cleanup } from '@switchyard/stack/services/cleanup.ts'
import { startPostgres } from '@switchyard/stack/services/postgres.ts'
import { startRestate } from '@switchyard/stack/services/restate.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { readCompose, type ComposeFile, type ComposeService } from './compose.ts'
import { startContainer, unpackImage, type Container, type UnpackedImage } from './container.ts'
import { makeFirstPayment } from './first-payment.ts'
import { say } from './say.ts'

/**
 * `npm run compose:check`: starts deploy/compose.yaml without Docker and pays with it. Our services run from the built
 * images under runc, with the commands, variables and health checks of the file; Postgres and Restate are those of the
 * development stack, on the same ports. All of it runs in a network of its own, in which the name of every service leads
 * to 127.0.0.1.
 */
const root = join(import.meta.dirname, '../../..')
const user = 65_532
const healthTimeoutMs = 90_000

if (!process.argv.includes('--in-own-network')) {
  const again = [process.execPath, import.meta.filename, '--in-own-network']
  const { status } = spawnSync('unshare', ['--net', '--mount', ...again], { stdio: 'inherit' })
  process.exit(status ?? 1)
}
execFileSync('ip', ['link', 'set', 'lo', 'up'])

interface Run {
  compose: ComposeFile
  images: Record<string, UnpackedImage>
  scratch: string
  cleanup: Cleanup
}

function readImages(scratch: string): Record<string, UnpackedImage> {
  return Object.fromEntries(
    ['switchyard', 'switchyard-try'].map((name) => {
      const archive = join(root, `.toolchain/image/${name}.tar`)
      if (!existsSync(archive)) throw new Error('there is no image: run deploy/image/build')
      return [name, unpackImage(archive, join(scratch, name))]
    }),
  )
}

function start({ compose, images, scratch }: Run, name: string, args?: readonly string[]): Container {
  const { image, command = [], environment = {}, volumes = [] } = serviceOf(compose, name)
  const unpacked = images[image.split(':')[0] ?? '']
  if (!unpacked) throw new Error(`there is no image ${image}`)
  const mounts = Object.fromEntries(
    volumes.map((volume) => {
      const [source = '', destination = ''] = volume.split(':')
      return [destination, { source: join(scratch, `volume-${source}`), isWritable: true }]
    }),
  )
  return startContainer(args ? { ...unpacked, config: { ...unpacked.config, Entrypoint: [] } } : unpacked, {
    scratch,
    name,
    command: args ?? command,
    env: environment,
    mounts: { ...mounts, '/etc/hosts': { source: join(scratch, 'hosts') } },
  })
}

function serviceOf({ services }: ComposeFile, name: string): ComposeService {
  const found = services[name]
  if (!found) throw new Error(`compose.yaml has no service ${name}`)
  return found
}

/** Starts a service that keeps running, and waits until its health check says that it is ready. */
async function up(run: Run, name: string): Promise<void> {
  const container = start(run, name)
  run.cleanup.add(container)
  const [, ...test] = serviceOf(run.compose, name).healthcheck?.test ?? []
  try {
    const isHealthy = async (): Promise<boolean> => (await start(run, name, test).exited) === 0
    if (test.length > 0)
      await waitUntil(isHealthy, { timeoutMs: healthTimeoutMs, what: name, intervalMs: 500 })
    say(name, true, test.length > 0 ? 'healthy' : 'started')
  } catch (error) {
    throw new Error(`${name} is not healthy:\n${container.output().slice(-2_000)}`, { cause: error })
  }
}

async function runToEnd(run: Run, name: string): Promise<void> {
  const container = start(run, name)
  const code = await container.exited
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${container.output().slice(-2_000)}`)
  say(name, true, container.output().trim().split('\n').at(-1) ?? '')
}

/** What the images of Postgres and Restate do: a superuser with a database of its own, and one node. */
async function startServices({ scratch, cleanup, compose }: Run): Promise<void> {
  const {
    POSTGRES_USER = '',
    POSTGRES_PASSWORD = '',
    POSTGRES_DB = '',
  } = serviceOf(compose, 'postgres').environment ?? {}
  const postgres = cleanup.add(
    await startPostgres({ dataDir: join(scratch, 'postgres'), port: 5432, fast: true }),
  )
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(
    `create role ${client.escapeIdentifier(POSTGRES_USER)} superuser login password ${client.escapeLiteral(POSTGRES_PASSWORD)}`,
  )
  await client.query(`create database ${POSTGRES_DB} owner ${client.escapeIdentifier(POSTGRES_USER)}`)
  await client.end()
  const ports = { ingressPort: 8081, adminPort: 9070, nodePort: 5122 }
  cleanup.add(await startRestate({ dataDir: join(scratch, 'restate'), ...ports }))
}

function prepare({ compose, scratch }: Run): void {
  const names = Object.entries(compose.services).flatMap(([name, { networks }]) => [
    name,
    ...(networks?.default.aliases ?? []),
  ])
  writeFileSync(join(scratch, 'hosts'), `127.0.0.1 localhost ${names.join(' ')}\n`)
  // Also for the engine, which calls the worker by its name. Only this process and its children see it.
  execFileSync('mount', ['--bind', join(scratch, 'hosts'), '/etc/hosts'])
  for (const volume of Object.keys(compose.volumes)) {
    const directory = join(scratch, `volume-${volume}`)
    mkdirSync(directory)
    chownSync(directory, user, user)
  }
}

/** From the dashboard to the list of accounts, as a browser on this machine would. */
async function checkSignIn(publicUrl: string): Promise<void> {
  const login = await fetch(`${publicUrl}/auth/login`, { redirect: 'manual' })
  const location = login.headers.get('location') ?? ''
  const page = location === '' ? undefined : await fetch(location, { redirect: 'manual' })
  const next = page?.headers.get('location') ?? ''
  say('sign-in', next.includes('/interaction/'), `${location.split('?')[0]}`)
}

const scratch = mkdtempSync(join(tmpdir(), 'switchyard-compose-'))
// Postgres runs as a user of its own and has to enter it.
chmodSync(scratch, 0o711)
const cleanup = createCleanup()
try {
  const printed = parseEnv(execFileSync(join(root, 'deploy/compose-env'), { encoding: 'utf8' }))
  const dotEnv = Object.fromEntries(Object.entries(printed).map(([name, value]) => [name, value ?? '']))
  const run: Run = { compose: readCompose(dotEnv), images: readImages(scratch), scratch, cleanup }
  prepare(run)
  await startServices(run)
  await runToEnd(run, 'migrate')
  for (const name of ['api', 'worker', 'simulator', 'identity', 'mail']) await up(run, name)
  await runToEnd(run, 'seed')
  const { PUBLIC_URL: publicUrl = '' } = serviceOf(run.compose, 'api').environment ?? {}
  const seeded: SeedResult = JSON.parse(readFileSync(join(scratch, 'volume-try/seed.json'), 'utf8'))
  say('first payment', true, await makeFirstPayment(`${publicUrl}/v1`, firstAdmin(seeded).apiKey))
  await checkSignIn(publicUrl)
} catch (error) {
  say('compose', false, error instanceof Error ? error.message : String(error))
} finally {
  await cleanup.stop()
  rmSync(scratch, { recursive: true, force: true })
}
