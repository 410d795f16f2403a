import { sql } from 'kysely'
import { newId } from '../../lib/ids.ts'
import type { Database, Tx } from './database.ts'

interface RoleFacts {
  name: string
  isSuperuser: boolean
  bypassesRls: boolean
  ownedTables: number
}

export interface DatabaseFacts {
  version: string
  majorVersion: number
  now: Date
  migrations: string[]
  /** Tables with a tenant column that row level security does not protect, also from their owner. */
  unprotectedTables: string[]
  /** Policies that the migrations did not write, as `table.policy`. */
  foreignPolicies: string[]
  synchronousStandbys: string
  connectedStandbys: number
  isStandby: boolean
  sizeBytes: number
  /** How many transactions ago the oldest row was frozen; Postgres stops writing at two billion. */
  transactionAge: number
  /** When the first table runs out of partitions; null if none is partitioned. */
  partitionsUntil: Date | null
}

/** What `doctor` asks the database about itself, as the role that sees every organisation. */
export async function inspectDatabaseAcrossOrgs(
  db: Pick<Database, 'readAcrossOrgs'>,
): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version,
           current_setting('server_version_num')::integer / 10000 as "majorVersion",
           clock_timestamp() as now,
           (select coalesce(array_agg(name order by name), '{}') from migrations) as migrations,
           (select coalesce(array_agg(c.relname::text order by c.relname), '{}')
            from pg_class c
            join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
              and not (c.relrowsecurity and c.relforcerowsecurity)) as "unprotectedTables",
           (select coalesce(array_agg(format('%s.%s', tablename, policyname) order by tablename, policyname), '{}')
            from pg_policies
            where schemaname = 'public' and not case policyname
              when 'one_organisation' then roles = '{switchyard_app}' and qual = '(org_id = current_org())'
              when 'every_organisation' then roles = '{switchyard_system}'
              when 'installation' then roles = '{switchyard_app}' and cmd = 'SELECT'
                and qual = '(org_id = ''00000000-0000-0000-0000-000000000000''::uuid)'
              else false end) as "foreignPolicies",
           current_setting('synchronous_standby_names') as "synchronousStandbys",
           (select count(*)::integer from pg_stat_replication) as "connectedStandbys",
           pg_is_in_recovery() as "isStandby",
           pg_database_size(current_database())::float8 as "sizeBytes",
           (select age(datfrozenxid) from pg_database where datname = current_database()) as "transactionAge",
           (select min(uuid_extract_timestamp(last_partition_end(partrelid))) from pg_partitioned_table)
             as "partitionsUntil"`.execute(db.readAcrossOrgs)
  const [facts] = rows
  if (!facts) throw new Error('the database gave no answer')
  return facts
}

/** The two roles that the processes log in as. */
export const inspectRoles = (db: Pick<Database, 'inOrg' | 'acrossOrgs'>): Promise<RoleFacts[]> =>
  Promise.all([db.inOrg(newId(), inspectRole), db.acrossOrgs(inspectRole)])

async function inspectRole(tx: Tx): Promise<RoleFacts> {
  const { rows } = await sql<RoleFacts>`
    select current_user::text as name, rolsuper as "isSuperuser", rolbypassrls as "bypassesRls",
           (select count(*)::integer from pg_class where relowner = pg_roles.oid and relkind in ('r', 'p')) as "ownedTables"
    from pg_roles where rolname = current_user`.execute(tx.db)
  const [role] = rows
  if (!role) throw new Error('the database does not know its own role')
  return role
}
