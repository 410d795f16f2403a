import type { ProviderConfig } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link, useSearchParams } from 'react-router'
import { api } from '../../api/client.ts'
import { routing as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { Button } from '../../ui/button.tsx'
import { countryName } from '../../ui/format.ts'
import { Page, Panel, Scroll } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { AddDialog } from './add-dialog.tsx'
import { corridorOf, describeCorridor, inOrder, isSameCorridor, type Corridor } from './corridors.ts'
import { RouteList } from './route-list.tsx'
import styles from './routing.module.css'

const routeLimit = 1_000

export function Screen(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['provider-configs'],
    queryFn: ({ signal }) =>
      api.providerConfigs.list({ limit: 100 }, { signal }).toArray({ limit: routeLimit }),
  })
  const mayWrite = useMay('provider-configs:write')
  const chosen = useChosenCorridor()
  const [isAdding, setAdding] = useState(false)
  const add = mayWrite && (
    <Button isPrimary onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  const configs = data?.filter((config) => chosen && isSameCorridor(corridorOf(config), chosen)) ?? []
  return (
    <Page title={text.title} aside={data && data.length > 0 && add}>
      <p className={ui.muted}>{text.text}</p>
      {data && chosen && (
        <RouteList key={describeCorridor(chosen)} corridor={chosen} configs={inOrder(configs)} />
      )}
      <Panel>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={8} />}
        {data?.length === 0 && <EmptyState title={text.empty} text={text.emptyText} action={add} />}
        {data && data.length > 0 && <Grid configs={data} chosen={chosen} />}
      </Panel>
      {data && data.length > 0 && !chosen && <p className={ui.muted}>{text.choose}</p>}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** The URL has the open corridor. */
function useChosenCorridor(): Corridor | undefined {
  const [query] = useSearchParams()
  const [country, method, direction] = ['country', 'method', 'direction'].map((name) => query.get(name))
  return country && method && direction ? { country, method, direction } : undefined
}

const methodOrder = Object.keys(terms.method)
const directionOrder = Object.keys(terms.direction)

type Column = Pick<Corridor, 'method' | 'direction'>

/** The combinations of method and direction that at least one country has. */
const columnsOf = (configs: readonly ProviderConfig[]): Column[] =>
  methodOrder
    .flatMap((method) => directionOrder.map((direction) => ({ method, direction })))
    .filter(({ method, direction }) =>
      configs.some((config) => config.payment_method === method && config.direction === direction),
    )

function Grid({
  configs,
  chosen,
}: {
  configs: readonly ProviderConfig[]
  chosen: Corridor | undefined
}): ReactElement {
  const columns = columnsOf(configs)
  const countries = [...new Set(configs.map(({ country }) => country))].toSorted((one, other) =>
    countryName(one).localeCompare(countryName(other)),
  )
  return (
    <Scroll label={text.title}>
      <table className={`${ui.table} ${styles.grid}`}>
        <caption className={ui.visuallyHidden}>{text.title}</caption>
        <thead>
          <tr>
            <th scope="col">{text.country}</th>
            {columns.map(({ method, direction }) => (
              <th key={method + direction} scope="col">
                {nameOf(terms.method, method)}
                <span className={styles.direction}>{nameOf(terms.direction, direction)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {countries.map((country) => (
            <tr key={country}>
              <th scope="row">{countryName(country)}</th>
              {columns.map((column) => (
                <td key={column.method + column.direction}>
                  <Cell configs={configs} corridor={{ country, ...column }} chosen={chosen} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

interface CellProps {
  configs: readonly ProviderConfig[]
  corridor: Corridor
  chosen: Corridor | undefined
}

function Cell({ configs, corridor, chosen }: CellProps): ReactElement {
  const here = inOrder(configs.filter((config) => isSameCorridor(corridorOf(config), corridor)))
  if (here.length === 0) return <span className={ui.visuallyHidden}>{text.none}</span>
  const isChosen = chosen !== undefined && isSameCorridor(chosen, corridor)
  return (
    <Link
      className={styles.cell}
      to={`?${new URLSearchParams({ ...corridor }).toString()}`}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span className={ui.visuallyHidden}>{text.open(describeCorridor(corridor))}: </span>
      <ol>
        {here.map((config) => (
          <li key={config.config_id} className={config.is_active ? undefined : styles.off}>
            {nameOf(terms.provider, config.provider)}
            {!config.is_active && <span className={ui.muted}> {text.off}</span>}
          </li>
        ))}
      </ol>
    </Link>
  )
}
