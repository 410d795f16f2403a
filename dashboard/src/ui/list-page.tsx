import type { Page as RowPage } from '@switchyard/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { useDeferredValue, type ReactElement, type ReactNode } from 'react'
import { Link } from 'react-router'
import { states } from '../messages/generated/texts.ts'
import { Button } from './button.tsx'
import { ExportButton } from './export-button.tsx'
import { timeZone } from './format.ts'
import type { ListAddress } from './list-address.ts'
import styles from './list.module.css'
import { Page, Panel, Scroll } from './page.tsx'
import { EmptyState, ErrorState, Skeleton } from './states.tsx'
import ui from './ui.module.css'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /** Aligns numbers at their last digit. */
  isEnd?: boolean
  /** The cell with the link to the row's page; `j`, `k` and Tab stop at it. */
  isLink?: boolean
}

interface TableProps<Row> {
  title: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The page of a row. */
  pathOf?: (row: Row) => string
}

interface ListPageProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  address: ListAddress
  result: UseQueryResult<RowPage<Row>>
  filters?: ReactNode
  /** Content between the filters and the rows, such as a button for new rows. */
  notice?: ReactNode
  aside?: ReactNode
  /** What this list will contain, and what to do next. */
  empty: { title: string; text?: string; action?: ReactNode }
  /** The whole list with the same filters. */
  csv?: () => Promise<ReadableStream<Uint8Array>>
}

/** A list with its filters and cursor in the URL, and a message for each of its states. */
export function ListPage<Row>(props: ListPageProps<Row>): ReactElement {
  const { address, result, title } = props
  const { data, error, refetch, isPlaceholderData } = result
  const rows = data?.data ?? []
  return (
    <Page
      title={title}
      aside={
        <div className={styles.actions}>
          {props.csv && <ExportButton csv={props.csv} name={title} isDisabled={rows.length === 0} />}
          {props.aside}
        </div>
      }
    >
      {props.filters}
      {props.notice}
      <Panel>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={10} />}
        {data && !error && rows.length === 0 && <Empty address={address} empty={props.empty} />}
        {!error && rows.length > 0 && (
          <div className={isPlaceholderData ? styles.isOld : undefined} aria-busy={isPlaceholderData}>
            <Table {...props} rows={rows} />
          </div>
        )}
      </Panel>
      {!error && rows.length > 0 && <Foot address={address} next={data?.cursor} />}
    </Page>
  )
}

const Empty = ({
  address,
  empty,
}: {
  address: ListAddress
  empty: { title: string; text?: string; action?: ReactNode }
}): ReactElement =>
  address.isFiltered ? (
    <EmptyState
      title={states.noMatch}
      text={states.noMatchText}
      action={<Button onClick={address.clear}>{states.clear}</Button>}
    />
  ) : (
    <EmptyState {...empty} />
  )

const Foot = ({ address, next }: { address: ListAddress; next: string | undefined }): ReactElement => (
  <div className={styles.foot}>
    <span>
      {states.times} {timeZone()}
    </span>
    <span className={styles.actions}>
      {address.cursor !== '' && <Button onClick={() => address.goTo('')}>{states.first}</Button>}
      <Button disabled={next === undefined} onClick={() => address.goTo(next ?? '')}>
        {states.next}
      </Button>
    </span>
  </div>
)

/** More rows than a phone shows at once. */
const firstRows = 12

/** A table whose rows link to their pages, if they have one. Also used for short lists inside a panel. */
export function Table<Row>({ title, columns, rows, keyOf, pathOf }: TableProps<Row>): ReactElement {
  // Lets a slow phone paint the first rows before it renders the others.
  const isWhole = useDeferredValue(true, false)
  return (
    <Scroll label={title}>
      <table className={ui.table}>
        <caption className={ui.visuallyHidden}>{title}</caption>
        <thead>
          <tr>
            {columns.map(({ label, isEnd = false }) => (
              <th key={label} scope="col" className={isEnd ? ui.end : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(isWhole ? rows : rows.slice(0, firstRows)).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.label} className={column.isEnd ? ui.end : undefined}>
                  {column.isLink && pathOf ? (
                    <Link className={styles.rowLink} to={pathOf(row)} data-row="">
                      {column.cell(row)}
                    </Link>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
