import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstAdmin } from '@switchyard/stack/seeds/seed.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { answersOk, waitUntil } from '@switchyard/stack/services/wait-until.ts'
import type { Env } from '@switchyard/stack/programs.ts'
import { differences } from './compare-images.ts'
import { lockedPackages } from './complete-sbom.ts'
import { startContainer, unpackImage, type Container, type UnpackedImage } from './container.ts'
import { makeFirstPayment } from './first-payment.ts'
import { say } from './say.ts'
import { startDependencies } from './start-dependencies.ts'

/**
 * `npm run image:check`: runs what deploy/image/build has built under runc, with a read-only root, and pays with it.
 * With `-- --reproducible` it also builds the images again and compares them.
 */
const root = join(import.meta.dirname, '../../..')
const built = join(root, '.toolchain/image')
const sizeLimitMegabytes = 300
const stopLimitMs = 25_000
const shells = ['bash', 'dash', 'sh', 'busybox', 'zsh', 'ash']
const commands = [
  'api',
  'worker',
  'migrate',
  'bootstrap',
  'rebuild',
  'audit',
  'doctor',
  'connector-check',
] as const

function checkFiles({ rootfs, config }: UnpackedImage): void {
  say('not root', config.User === '65532:65532', `user ${config.User}`)
  const found = (pattern: string): string[] => globSync(pattern, { cwd: rootfs })
  const shellFiles = shells.flatMap((name) => found(`**/bin/${name}`))
  say('no shell', shellFiles.length === 0, shellFiles.join(', '))
  const runnable = [...found('usr/bin/*'), ...found('usr/sbin/*'), ...found('bin/*'), ...found('sbin/*')]
  say('one program', runnable.join() === 'usr/bin/node', runnable.join(', '))
  const patterns = ['app/**/*.test.ts', 'app/server/src/**/testing/**', 'app/server/test/**']
  const tests = patterns.flatMap(found).filter((name) => !name.includes('node_modules'))
  say('no test file', tests.length === 0, tests.slice(0, 3).join(', '))
  const committed = globSync('server/migrations/*', { cwd: root }).length
  const migrations = found('app/server/migrations/*').length
  say('migrations', migrations === committed, `${migrations} of ${committed}`)
  const megabytes = Number(execFileSync('du', ['-sm', rootfs], { encoding: 'utf8' }).split('\t')[0])
  say('size', megabytes <= sizeLimitMegabytes, `${megabytes} MB unpacked, at most ${sizeLimitMegabytes}`)
}

function checkOrigin({ rootfs, config }: UnpackedImage): void {
  const label = (name: string): string => config.Labels?.[`org.opencontainers.image.${name}`] ?? ''
  const names = ['title', 'version', 'revision', 'licenses', 'description']
  const missing = names.filter((name) => label(name) === '')
  say('labels', missing.length === 0, missing.length > 0 ? `without ${missing.join()}` : label('revision'))
  const bom: { components: { name: string; version: string }[] } = JSON.parse(
    readFileSync(join(rootfs, 'app/sbom.json'), 'utf8'),
  )
  const listed = new Set(bom.components.map(({ name, version }) => `${name} ${version}`))
  const lock = lockedPackages(readFileSync(join(root, 'deploy/image/base.lock'), 'utf8'))
  const unlisted = lock.filter(({ name, version }) => !listed.has(`${name} ${version}`))
  const isComplete = unlisted.length === 0 && lock.length > 0 && listed.size > lock.length
  say('SBOM', isComplete, `${listed.size} packages, ${lock.length} of them of the base`)
}

/** Without settings each command says what it misses, which shows that all its modules are there. */
async function checkCommands(image: UnpackedImage, scratch: string): Promise<void> {
  const failed: string[] = []
  for (const name of commands) {
    const container = startContainer(image, { scratch, name, command: [name], env: {} })
    await container.exited
    if (!/is not set\.|--[a-z-]+/.test(container.output()) || /\n {4}at /.test(container.output()))
      failed.push(`${name}: ${container.output().slice(0, 200)}`)
  }
  say('commands', failed.length === 0, failed.length === 0 ? commands.join(', ') : failed.join('\n'))
}

async function pay(image: UnpackedImage, scratch: string): Promise<void> {
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()].map(String)
  const [port = '', metrics = '', workerPort = '', workerMetrics = ''] = ports
  const address = `http://127.0.0.1:${port}`
  const installation = await startDependencies(address)
  const { env } = installation
  const containers: Container[] = []
  const start = (name: string, change: Env): Container => {
    const container = startContainer(image, { scratch, name, command: [name], env: { ...env, ...change } })
    containers.push(container)
    return container
  }
  const run = async (name: string, change: Env = {}): Promise<void> => {
    const container = start(name, change)
    const code = await container.exited
    say(name, code === 0, container.output().trim().split('\n').at(-1) ?? '')
  }
  try {
    await run('migrate', { DATABASE_OWNER_URL: installation.ownerUrl })
    const api = start('api', { API_PORT: port, METRICS_PORT: metrics })
    const workerUrl = { ENGINE_WORKER_URL: `http://127.0.0.1:${workerPort}` }
    const worker = start('worker', { ...workerUrl, WORKER_PORT: workerPort, METRICS_PORT: workerMetrics })
    await untilReady([metrics, workerMetrics])
    say(
      'first payment',
      true,
      await makeFirstPayment(`${address}/v1`, firstAdmin(installation.seeded).apiKey),
    )
    await checkPages(address)
    await run('audit')
    await run('rebuild')
    await checkStop('api', api)
    await checkStop('worker', worker)
  } catch (error) {
    say('first payment', false, error instanceof Error ? error.message : String(error))
    for (const failed of containers) process.stdout.write(failed.output().slice(-2_000))
  } finally {
    await Promise.all(containers.map((container) => container.stop()))
    await installation.stop()
  }
}

async function untilReady(ports: readonly string[]): Promise<void> {
  const startedAt = performance.now()
  for (const port of ports)
    await waitUntil(() => answersOk(`http://127.0.0.1:${port}/readyz`), {
      timeoutMs: 90_000,
      what: 'readiness',
    })
  say('ready', true, `after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

/** The dashboard with its script, and the reference of the API. */
async function checkPages(address: string): Promise<void> {
  const page = await fetch(`${address}/dashboard`)
  const script = /<script[^>]* src="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  const answers = [page.status, (await fetch(new URL(script, address))).status]
  say('dashboard', script !== '' && answers.every((status) => status === 200), `${answers.join()} ${script}`)
  const reference = await fetch(`${address}/docs`)
  say('reference', reference.status === 200, `/docs answers ${reference.status}`)
}

async function checkStop(name: string, container: Container): Promise<void> {
  const { code, tookMs } = await container.stop()
  const detail = `${name}: exit ${code} after ${Math.round(tookMs)} ms`
  say('SIGTERM', code === 0 && tookMs < stopLimitMs, detail)
}

/** Builds both images a second time: the digests must be the same, or the differing files are named. */
function checkReproducible(scratch: string): void {
  execFileSync(join(root, 'deploy/image/build'), [scratch], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const name of ['switchyard', 'switchyard-try']) {
    const [first, second] = [built, scratch].map((path) => readFileSync(join(path, `${name}.digest`), 'utf8'))
    const archives = [built, scratch].map((path) => join(path, `${name}.tar`)) as [string, string] // two of two
    const isSame = first === second
    say('reproducible', isSame, isSame ? `${name} ${first}` : differences(archives, scratch).join('\n'))
  }
}

if (!existsSync(join(built, 'switchyard.tar'))) throw new Error('there is no image: run deploy/image/build')
const scratch = mkdtempSync(join(tmpdir(), 'switchyard-image-'))
try {
  const image = unpackImage(join(built, 'switchyard.tar'), scratch)
  checkFiles(image)
  checkOrigin(image)
  await checkCommands(image, scratch)
  await pay(image, scratch)
  if (process.argv.includes('--reproducible')) {
    mkdirSync(join(scratch, 'again'))
    checkReproducible(join(scratch, 'again'))
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
