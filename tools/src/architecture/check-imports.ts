import { floorOf, groupOf } from './floors.ts'
import { baseNameOf, isTestFile, type Module, type Repository } from './repository.ts'

type Area =
  | 'lib'
  | 'db'
  | 'ledger'
  | 'keys'
  | 'engine'
  | 'kit'
  | 'provider'
  | 'registry'
  | 'domain'
  | 'http'
  | 'main'
  | 'testing'
  | 'browser'
  | 'checkout'
  | 'dashboard'
  | 'built'
  | 'simulator'
  | 'sdk'
  | 'cli'
  | 'services'
  | 'stack'
  | 'proof'
  | 'bench'
  | 'tools'

type Place = { readonly area: Area; readonly group: string }

const places: readonly (readonly [Area, RegExp])[] = [
  ['lib', /^server\/src\/lib\//],
  ['db', /^server\/src\/kernel\/db\//],
  ['ledger', /^server\/src\/kernel\/ledger\//],
  ['keys', /^server\/src\/kernel\/keys\//],
  ['engine', /^server\/src\/kernel\/engine\//],
  ['kit', /^server\/src\/connectors\/kit\//],
  ['provider', /^server\/src\/connectors\/([^/]+)\//],
  ['registry', /^server\/src\/connectors\/registry\.ts$/],
  ['domain', /^server\/src\/domains\/(payments|[^/]+\/[^/]+)\//],
  ['http', /^server\/src\/http\//],
  ['main', /^server\/src\/main\//],
  ['testing', /^server\/test\//],
  ['browser', /^checkout\/src\/browser\//],
  ['checkout', /^checkout\//],
  ['built', /^dashboard\/src\/build\//],
  ['dashboard', /^dashboard\//],
  ['simulator', /^simulator\//],
  ['sdk', /^sdk\//],
  ['cli', /^cli\//],
  ['services', /^stack\/src\/services\//],
  ['stack', /^stack\//],
  ['proof', /^proof\//],
  ['bench', /^bench\//],
  ['tools', /^tools\//],
]

const serverAreas: readonly Area[] = [
  'lib',
  'db',
  'ledger',
  'keys',
  'engine',
  'kit',
  'provider',
  'registry',
  'domain',
  'http',
  'main',
]
const everything: readonly Area[] = [
  ...serverAreas,
  'checkout',
  'built',
  'simulator',
  'sdk',
  'cli',
  'services',
  'stack',
  'testing',
]

type Arrow = { readonly to: readonly Area[]; readonly text: string }

const arrows: Record<Area, Arrow> = {
  lib: { to: ['lib'], text: 'lib → packages' },
  db: { to: ['db', 'lib'], text: 'kernel/db → lib' },
  ledger: { to: ['ledger', 'db', 'lib'], text: 'kernel/ledger → kernel/db, lib' },
  keys: { to: ['keys', 'db', 'lib'], text: 'kernel/keys → kernel/db, lib' },
  engine: { to: ['engine', 'db', 'lib'], text: 'kernel/engine → kernel/db, lib' },
  kit: { to: ['kit', 'lib'], text: 'connectors/kit → lib' },
  provider: {
    to: ['provider', 'kit', 'lib'],
    text: 'connectors/<provider> → its own folder, connectors/kit, lib',
  },
  registry: {
    to: ['provider', 'kit', 'lib'],
    text: 'connectors/registry → connectors/<provider>, connectors/kit, lib',
  },
  domain: {
    to: ['domain', 'ledger', 'kit', 'registry', 'engine', 'db', 'lib', 'http', 'checkout'],
    text: 'domains/<group>/<domain> → its own folder, kernel/ledger, connectors/kit, connectors/registry, kernel/engine, kernel/db, lib, operations of another domain of its group or of a lower one',
  },
  http: { to: ['http', 'db', 'lib', 'built'], text: 'http → kernel/db, lib, dashboard/src/build' },
  main: { to: serverAreas, text: 'main → anything of server' },
  testing: { to: everything, text: 'testing → anything' },
  browser: { to: ['browser'], text: 'checkout/src/browser → its own folder: it runs in the payer’s browser' },
  checkout: { to: ['checkout'], text: 'checkout → nothing of server: pages are made from data alone' },
  dashboard: {
    to: ['dashboard', 'sdk', 'checkout'],
    text: 'dashboard → its own folder, sdk, checkout: it runs in the browser',
  },
  built: { to: ['built'], text: 'dashboard/src/build → its own folder' },
  simulator: { to: ['simulator'], text: 'simulator → nothing of server or dev' },
  sdk: { to: ['sdk'], text: 'sdk → nothing' },
  cli: { to: ['cli', 'sdk'], text: 'cli → sdk' },
  services: { to: ['services'], text: 'stack/src/services → nothing of server' },
  stack: { to: everything, text: 'stack → server, checkout, simulator, sdk, cli' },
  proof: { to: [...everything, 'proof'], text: 'proof → server, simulator, stack' },
  bench: { to: [...everything, 'bench'], text: 'bench → server, checkout, simulator, stack' },
  tools: { to: [...everything, 'tools'], text: 'tools → server, checkout, simulator, sdk, stack' },
}

const edgeFiles = new Set(['routes.ts', 'workflow.ts'])
const privateToDomain = new Set(['store.ts', 'routes.ts', 'workflow.ts'])
const edgeLibraries = /^(?:fastify(?:-[^/]+)?|@fastify\/[^/]+|@restatedev\/[^/]+)(?:\/|$)/
const edgeAreas: readonly Area[] = ['http', 'engine', 'main']
/** Areas that may use test helpers, such as a scratch folder or a receiver of webhooks. */
const harnesses: readonly Area[] = ['testing', 'stack', 'proof', 'bench', 'tools']

export function checkArrows(repository: Repository): string[] {
  return guarded(repository).flatMap((module) => {
    const from = placeOf(module.path)
    if (from === undefined) return [`${module.path}:1 lies in no folder of the architecture's tree`]
    return module.imports.flatMap((one) => {
      const reason = one.target === undefined ? undefined : refusal(module, from, one.target)
      return reason === undefined ? [] : [`${module.path}:${one.line} imports ${one.target}; ${reason}`]
    })
  })
}

export function checkEdgeLibraries(repository: Repository): string[] {
  return guarded(repository).flatMap((module) => {
    const place = placeOf(module.path)
    if (!module.path.startsWith('server/') || (place && edgeAreas.includes(place.area))) return []
    if (place?.area === 'domain' && edgeFiles.has(baseNameOf(module.path))) return []
    return module.imports
      .filter((one) => edgeLibraries.test(one.specifier))
      .map(
        (one) =>
          `${module.path}:${one.line} imports ${one.specifier}; only http/, kernel/engine/, main/, routes.ts and workflow.ts may`,
      )
  })
}

export function checkRelativeExtensions(repository: Repository): string[] {
  return repository.modules.flatMap((module) =>
    module.imports
      .filter(
        (one) =>
          one.target !== undefined &&
          !one.specifier.startsWith('@switchyard/sdk/') &&
          !/\.(?:tsx?|json|css|svg)(?:\?inline)?$/.test(one.target),
      )
      .map(
        (one) => `${module.path}:${one.line} imports ${one.specifier}; name the file with its .ts extension`,
      ),
  )
}

/** The entry of the published package, which has to offer the names of all its files. */
const packageEntry = 'sdk/src/index.ts'

export function checkReexports(repository: Repository): string[] {
  const inside = guarded(repository).filter(({ path }) => path !== packageEntry)
  return inside.flatMap((module) =>
    module.imports
      .filter((one) => one.isReexport)
      .map(
        (one) => `${module.path}:${one.line} re-exports ${one.specifier}; import it from where it is written`,
      ),
  )
}

/** A group of domains imports only groups on lower floors; what two groups of one floor share belongs further down. */
export function checkFloors(repository: Repository): string[] {
  return guarded(repository).flatMap((module) => {
    const from = groupOf(module.path)
    if (from === undefined) return []
    const floor = floorOf(from)
    if (floor === undefined) return [`${module.path}:1 lies in the group ${from}, which has no floor`]
    return module.imports.flatMap((one) => {
      const to = one.target === undefined ? undefined : groupOf(one.target)
      if (to === undefined || to === from || (floorOf(to) ?? Infinity) < floor) return []
      return [`${module.path}:${one.line} imports ${one.target}; ${from} is not above ${to}`]
    })
  })
}

function refusal(module: Module, from: Place, target: string): string | undefined {
  const to = placeOf(target)
  if (to === undefined || !arrows[from.area].to.includes(to.area)) return `allowed: ${arrows[from.area].text}`
  if (isTestFile(target) && !harnesses.includes(from.area)) return 'only tests may import tests'
  const targetName = baseNameOf(target)
  if (from.area === 'provider' && to.area === 'provider' && from.group !== to.group) {
    return `allowed: ${arrows.provider.text}`
  }
  return from.area === 'domain' ? domainRefusal(module, from, { ...to, targetName }) : undefined
}

function domainRefusal(module: Module, from: Place, to: Place & { targetName: string }): string | undefined {
  const isEdgeFile = edgeFiles.has(baseNameOf(module.path))
  if (to.area === 'http' && !isEdgeFile) return 'in a domain only routes.ts and workflow.ts may import http/'
  if (to.area === 'checkout' && from.group !== 'products/checkout')
    return 'only domains/products/checkout shows pages of checkout/'
  if (to.area !== 'domain') return undefined
  if (from.group !== to.group) {
    return privateToDomain.has(to.targetName)
      ? `allowed: ${arrows.domain.text}, never its ${to.targetName}`
      : undefined
  }
  return edgeFiles.has(to.targetName) && !isEdgeFile
    ? `operations know nothing of ${to.targetName}; only routes.ts and workflow.ts may import it`
    : undefined
}

function placeOf(path: string): Place | undefined {
  for (const [area, pattern] of places) {
    const match = pattern.exec(path)
    if (match) return { area, group: match[1] ?? area }
  }
  return undefined
}

function guarded(repository: Repository): Module[] {
  return repository.modules.filter((module) => !isTestFile(module.path))
}
