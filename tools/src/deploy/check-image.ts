import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedExamples, firstAdmin } from '@switchyard/stack/seeds/seed.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { answersOk, waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'
import type { Env } from '@switchyard/stack/programs.ts'

/** `npm run image:check`: runs what deploy/image/build has built under runc, with a read-only root, and pays with it. */
const root = join(import.meta.dirname, '../../..')
const archive = join(root, '.toolchain/image/switchyard.tar')
const storage = ['--storage-driver', 'vfs']
const sizeLimitMegabytes = 300
const stopLimitMs = 25_000
const shells = ['bash', 'dash', 'sh', 'busybox', 'zsh', 'ash']
const firstPayment = {
  amount: 5000,
  currency: 'UGX',
  target_amount: 5000,
  target_currency: 'UGX',
  direction: 'payin',
  payment_method: 'mobile_money',
  country: 'UG',
  payer_details: { name: 'Grace' },
  mobile_money_details: { provider: 'MTN', phone_number: '256783456789' },
}

const buildah = (...args: string[]): string =>
  execFileSync('buildah', [...storage, ...args], { encoding: 'utf8' }).trim()

function say(what: string, isRight: boolean, detail: string): void {
  process.stdout.write(`${(isRight ? 'ok' : 'FAILED').padEnd(8)}${what.padEnd(20)}${detail}\n`)
  if (!isRight) process.exitCode = 1
}

function checkFiles(rootfs: string): void {
  const found = (pattern: string): string[] => globSync(pattern, { cwd: rootfs })
  const shellFiles = shells.flatMap((name) => found(`**/bin/${name}`))
  say('no shell', shellFiles.length === 0, shellFiles.join(', '))
  const runnable = [...found('usr/bin/*'), ...found('usr/sbin/*'), ...found('bin/*'), ...found('sbin/*')]
  say('one program', runnable.join() === 'usr/bin/node', runnable.join(', '))
  const tests = [...found('app/**/*.test.ts'), ...found('app/server/src/**/testing/**')].filter(
    (name) => !name.includes('node_modules'),
  )
  say('no test file', tests.length === 0, tests.slice(0, 3).join(', '))
  const megabytes = Number(execFileSync('du', ['-sm', rootfs], { encoding: 'utf8' }).split('\t')[0])
  say('size', megabytes <= sizeLimitMegabytes, `${megabytes} MB unpacked, at most ${sizeLimitMegabytes}`)
}

interface Container {
  process: ChildProcess
  output(): string
  stop(): Promise<{ code: number | null; tookMs: number }>
}

/** A container of the image under runc: read-only root, user 65532, no capabilities, the network of this machine. */
function startContainer(rootfs: string, scratch: string, command: readonly string[], env: Env): Container {
  const id = `switchyard-${command[0]}-${process.pid}`
  const bundle = join(scratch, id)
  mkdirSync(bundle)
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(bundleOf(rootfs, command, env)))
  const child = spawn('runc', ['run', '--bundle', bundle, id], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  return {
    process: child,
    output: () => printed,
    async stop() {
      const startedAt = performance.now()
      spawnSync('runc', ['kill', id, 'TERM'])
      if (child.exitCode === null) await once(child, 'exit')
      return { code: child.exitCode, tookMs: performance.now() - startedAt }
    },
  }
}

function bundleOf(rootfs: string, command: readonly string[], env: Env): object {
  const entrypoint = ['/usr/bin/node', '--max-semi-space-size=16', 'server/src/main/switchyard-server.ts']
  return {
    ociVersion: '1.0.2',
    root: { path: rootfs, readonly: true },
    process: {
      terminal: false,
      user: { uid: 65532, gid: 65532 },
      cwd: '/app',
      args: [...entrypoint, ...command],
      env: Object.entries({ PATH: '/usr/bin', ...env }).map(([name, value]) => `${name}=${value}`),
      capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
      noNewPrivileges: true,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
    ],
    linux: { namespaces: [{ type: 'pid' }, { type: 'mount' }, { type: 'ipc' }, { type: 'uts' }] },
  }
}

async function pay(rootfs: string, scratch: string): Promise<void> {
  const [port, metrics, workerPort, workerMetrics] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const installation = await startInstallation({
    postgres: { fast: true },
    hasIdentity: true,
    hasMailbox: true,
    simulator: { runsAs: 'in-process' },
    env: { PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'info' },
    seed: (deps, simulatorUrl) => seedExamples(deps, simulatorUrl),
  })
  const { NODE_COMPILE_CACHE: _outside, ...env } = installation.env
  const containers: Container[] = []
  const start = (command: string, change: Env): Container => {
    const container = startContainer(rootfs, scratch, [command], { ...env, ...change })
    containers.push(container)
    return container
  }
  try {
    const bare = startContainer(rootfs, scratch, ['audit'], {})
    await once(bare.process, 'exit')
    say(
      'missing settings',
      bare.output().startsWith('DATABASE_APP_URL is not set.'),
      bare.output().split('\n')[0] ?? '',
    )
    const migrate = start('migrate', { DATABASE_OWNER_URL: installation.ownerUrl })
    await once(migrate.process, 'exit')
    say('migrate', migrate.process.exitCode === 0, migrate.output().trim().split('\n').at(-1) ?? '')
    const api = start('api', { API_PORT: String(port), METRICS_PORT: String(metrics) })
    start('worker', {
      WORKER_PORT: String(workerPort),
      METRICS_PORT: String(workerMetrics),
      ENGINE_WORKER_URL: `http://127.0.0.1:${workerPort}`,
    })
    const startedAt = performance.now()
    for (const ready of [metrics, workerMetrics])
      await waitUntil(() => answersOk(`http://127.0.0.1:${ready}/readyz`), {
        timeoutMs: 90_000,
        what: 'readiness',
      })
    say('ready', true, `after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    await firstPaymentAt(`http://127.0.0.1:${port}/v1`, firstAdmin(installation.seeded).apiKey)
    const stopped = await api.stop()
    say(
      'SIGTERM',
      stopped.code === 0 && stopped.tookMs < stopLimitMs,
      `exit ${stopped.code} after ${Math.round(stopped.tookMs)} ms`,
    )
  } catch (error) {
    say('first payment', false, error instanceof Error ? error.message : String(error))
    for (const failed of containers) process.stdout.write(failed.output().slice(-2_000))
  } finally {
    await Promise.all(containers.map((container) => container.stop()))
    await installation.stop()
  }
}

/** As in README.md: a customer pays by mobile money, and the provider's webhook completes the payment. */
async function firstPaymentAt(api: string, key: string): Promise<void> {
  const headers = { authorization: 'NONE', 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify(firstPayment)
  const initiated = await fetch(`${api}/payments-init/initiate`, { method: 'POST', headers, body })
  const answer: { response?: { payment_id?: string } } = JSON.parse(await initiated.text())
  const paymentId = answer.response?.payment_id
  const isCompleted = async (): Promise<boolean> => {
    const record = await fetch(`${api}/payments/transaction/${paymentId}`, { headers })
    return (await record.text()).includes('"status":"completed"')
  }
  await waitUntil(isCompleted, { timeoutMs: 30_000, what: 'the payment to complete' })
  say('first payment', true, `${paymentId} completed`)
}

if (!existsSync(archive)) throw new Error('there is no image: run deploy/image/build')
const scratch = mkdtempSync(join(tmpdir(), 'switchyard-image-'))
const container = buildah(
  'from',
  '--pull-never',
  readFileSync(join(root, '.toolchain/image/image-id'), 'utf8').trim(),
)
try {
  const rootfs = buildah('mount', container)
  const inspected: { OCIv1: { config: { User?: string } } } = JSON.parse(buildah('inspect', container))
  say('not root', inspected.OCIv1.config.User === '65532:65532', `user ${inspected.OCIv1.config.User}`)
  checkFiles(rootfs)
  await pay(rootfs, scratch)
} finally {
  buildah('rm', container)
  rmSync(scratch, { recursive: true, force: true })
}
