import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { migrateDatabase } from '@switchyard/server/kernel/db/migrate.ts'
import { formatText } from './format-text.ts'
import { boardFile, boards } from './gen/boards.ts'
import { browserScript } from './gen/browser-script.ts'
import { connectorsPage, describedConnectors } from './gen/connectors.ts'
import { chartFile, chartSchema } from './gen/chart-schema.ts'
import { envExample } from './gen/env-example.ts'
import { generateDatabaseTypes } from './gen/database-types.ts'
import { providerCatalog } from './gen/provider-catalog.ts'
import { endpointsTable } from './gen/endpoints.ts'
import { describeServer } from './gen/describe-server.ts'
import { openApiFile } from './gen/openapi-file.ts'
import { errorsPage, eventsPage, metricsPage } from './gen/reference-pages.ts'
import { licencesPage, readLock } from './gen/licences.ts'
import { messageCatalogues } from './gen/message-catalogues.ts'
import { settingsPage } from './gen/settings.ts'
import { apiModel } from './gen/sdk/api-model.ts'
import { printCommands } from './gen/sdk/print-cli.ts'
import { printPython } from './gen/sdk/print-python.ts'
import { printTypeScript } from './gen/sdk/print-typescript.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startPostgres } from '@switchyard/stack/services/postgres.ts'

/** Writes every generated file: database types, scripts, catalogues of messages, reference pages, OpenAPI, SDKs and CLI. */
const root = join(import.meta.dirname, '../..')

async function write(path: string, content: string): Promise<void> {
  writeRaw(path, await formatText(path, content))
}

function writeRaw(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
  process.stdout.write(`wrote ${path}\n`)
}

function serverVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'))
  return version
}

async function databaseTypes(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-gen-'))
  const postgres = await startPostgres({ dataDir, port: await freePort(), fast: true })
  try {
    await migrateDatabase({
      ownerUrl: postgres.url,
      appUrl: 'postgres://switchyard_app:gen@localhost/postgres',
      systemUrl: 'postgres://switchyard_system:gen@localhost/postgres',
      log: () => undefined,
    })
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return await generateDatabaseTypes(client)
    } finally {
      await client.end()
    }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await write('server/src/kernel/db/generated/schema.ts', await databaseTypes())
writeRaw('checkout/src/generated/checkout.js', await browserScript())
for (const [name, content] of Object.entries(messageCatalogues(join(root, 'dashboard/src/messages'))))
  await write(`dashboard/src/messages/generated/${name}`, content)
await write('server/src/connectors/kit/generated/catalog.ts', providerCatalog(describedConnectors()))
const { routes, document } = await describeServer()
await write('docs/endpoints.md', endpointsTable(routes))
writeRaw('docs/openapi.json', openApiFile(document))
await write('docs/connectors.md', connectorsPage(describedConnectors()))
await write('docs/settings.md', settingsPage())
await write('docs/reference/events.md', eventsPage())
await write('docs/reference/errors.md', errorsPage())
await write('docs/reference/metrics.md', metricsPage(root))
await write('docs/licences.md', licencesPage(readLock(root)))
writeRaw('deploy/systemd/switchyard.env.example', envExample())
await write('deploy/helm/switchyard/values.schema.json', chartSchema())
writeRaw('deploy/helm/switchyard/Chart.yaml', chartFile(serverVersion()))
for (const board of boards) await write(`deploy/grafana/${board.uid}.json`, boardFile(board))
const model = apiModel(document)
for (const [name, content] of Object.entries(printTypeScript(model)))
  await write(`sdk/src/generated/${name}`, content)
for (const [name, content] of Object.entries(printPython(model)))
  writeRaw(`sdk-python/src/switchyard/_generated/${name}`, content)
await write('cli/src/generated/commands.ts', printCommands(model))
