import starlight from '@astrojs/starlight'
import type { StarlightPlugin } from '@astrojs/starlight/types'
import { defineConfig } from 'astro/config'
import starlightLinksValidator from 'starlight-links-validator'
import starlightLlmsTxt from 'starlight-llms-txt'
import starlightOpenAPI from 'starlight-openapi'
import { allSections } from './src/all-sections.ts'
import { searchRanking } from './src/search-ranking.ts'

/** Of these the navigation shows the overview, which lists the others; every page carries the whole navigation. */
const listedByOverview = new Set(['Runbooks', 'Decisions'])

/** Long lines of code wrap, so that no block has to be scrolled; the plugin of the API replaces what is set outside of one. */
const wrapCode: StarlightPlugin = {
  name: 'wrap-code',
  hooks: {
    'config:setup': ({ config: { expressiveCode }, updateConfig }) =>
      updateConfig({
        expressiveCode: {
          ...(typeof expressiveCode === 'object' && expressiveCode),
          defaultProps: { wrap: true },
        },
      }),
  },
}

export default defineConfig({
  // llms.txt and the sitemap need whole addresses; whoever publishes the site sets its own.
  site: process.env['SITE_URL'] ?? 'https://switchyard.example.com',
  telemetry: false,
  integrations: [
    starlight({
      title: 'Switchyard',
      description: 'Self-hosted payment orchestration: one API in front of many payment providers.',
      logo: { src: './src/logo.svg', alt: '' },
      favicon: '/favicon.svg',
      customCss: ['./src/site.css'],
      credits: false,
      lastUpdated: false,
      pagefind: { ranking: searchRanking },
      sidebar: [
        ...allSections().map(({ label, pages }) => ({
          label,
          items: (listedByOverview.has(label) ? pages.slice(0, 1) : pages).map((page) => ({
            slug: page.slug,
            ...(page.label !== undefined && { label: page.label }),
          })),
        })),
        { label: 'API operations', link: '/api/' },
      ],
      plugins: [
        starlightOpenAPI([{ base: 'api', schema: '../openapi.json' }]),
        wrapCode,
        starlightLlmsTxt({ projectName: 'Switchyard' }),
        // The plugin knows the pages of files; those of the API are made during the build.
        starlightLinksValidator({ exclude: ['/api/**', '/api/'] }),
      ],
    }),
  ],
})
