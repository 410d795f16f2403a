import type { ProviderCatalogEntry, ProviderConfigsCreateBody } from '@switchyard/sdk'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { routing as text, terms } from '../../messages/generated/texts.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import ui from '../../ui/ui.module.css'
import { countryName } from '../../ui/format.ts'
import type { Corridor } from './corridors.ts'

const lastPriority = 1_000
const catalogMs = 3_600_000

/** The catalogue changes only with the server's version. */
export const useProviderCatalog = (): UseQueryResult<ProviderCatalogEntry[]> =>
  useQuery({
    queryKey: ['provider-catalog'],
    queryFn: ({ signal }) => api.catalog.listProviders({ signal }),
    staleTime: catalogMs,
  })

const wayOf: Readonly<Record<string, string>> = {
  payin: 'inbound',
  payout: 'outbound',
  on_ramp: 'external',
  off_ramp: 'external',
}

type Capability = ProviderCatalogEntry['capabilities'][number]

const offers = (capability: Capability, { country, method, direction }: Corridor): boolean =>
  wayOf[capability.direction] === direction &&
  capability.payment_method === method &&
  (capability.countries.length === 0 || capability.countries.includes(country))

/** Adds a route to the given corridor, or to one that the person chooses. */
export function AddDialog({ corridor, onClose }: { corridor?: Corridor; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  const { data: catalog = [] } = useProviderCatalog()
  const { org_id } = useIdentity().me
  const isOperator = useMay('platform:write')
  const [chosen, setChosen] = useState<Corridor>(
    corridor ?? { country: 'NG', method: 'card', direction: 'inbound' },
  )
  const providers = catalog.filter(({ capabilities }) => capabilities.some((one) => offers(one, chosen)))
  return (
    <FormDialog
      title={text.addTitle}
      text={text.addText}
      submitLabel={text.add}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = {
          provider: field('provider'),
          country: chosen.country,
          payment_method: chosen.method,
          direction: chosen.direction,
          priority: lastPriority,
          org_id: isOperator ? null : org_id,
        } as ProviderConfigsCreateBody // values of the catalogue and of the terms
        await api.providerConfigs.create(body, { idempotencyKey })
        await client.invalidateQueries({ queryKey: ['provider-configs'] })
      }}
    >
      {!corridor && <CorridorFields {...{ catalog, chosen }} onChange={setChosen} />}
      {providers.length === 0 ? (
        <p className={ui.doubt}>{text.noProvider}</p>
      ) : (
        <SelectField
          name="provider"
          label={text.provider}
          options={Object.fromEntries(providers.map(({ provider }) => [provider, provider]))}
        />
      )}
    </FormDialog>
  )
}

interface CorridorFieldsProps {
  catalog: readonly ProviderCatalogEntry[]
  chosen: Corridor
  onChange: (corridor: Corridor) => void
}

function CorridorFields({ catalog, chosen, onChange }: CorridorFieldsProps): ReactElement {
  const countries = new Set(
    catalog.flatMap(({ capabilities }) => capabilities.flatMap(({ countries: codes }) => codes)),
  )
  const options = [...countries]
    .map((code): [string, string] => [code, countryName(code)])
    .toSorted(([, one], [, other]) => one.localeCompare(other))
  return (
    <>
      <SelectField
        name="country"
        label={text.country}
        options={Object.fromEntries(options)}
        value={chosen.country}
        onChange={({ target }) => onChange({ ...chosen, country: target.value })}
      />
      <SelectField
        name="payment_method"
        label={text.method}
        options={terms.method}
        value={chosen.method}
        onChange={({ target }) => onChange({ ...chosen, method: target.value })}
      />
      <SelectField
        name="direction"
        label={text.direction}
        options={terms.direction}
        value={chosen.direction}
        onChange={({ target }) => onChange({ ...chosen, direction: target.value })}
      />
    </>
  )
}
