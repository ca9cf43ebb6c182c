import { isIP } from 'node:net'
import * as v from 'valibot'
import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { list, orNull, ts } from '#kernel/values/schema.ts'
import { asWindows } from './ca-pages.ts'
import type { Https } from './https.ts'
import { HTTPS_REASONS, HTTPS_WAYS, isByPublic } from './state-file.ts'
import { NAME_LEADS } from './vendor-name.ts'

const words = {
  isFixed:
    'Whether the configuration gives the certificate (INSTITUTE_TLS_CERT), so that nothing is chosen here; then all else is empty.',
  way: 'off: plain HTTP alone; local: a certificate of this server’s own authority, which devices trust once its root is put on them (/ca); public: one of a public authority (Let’s Encrypt), which every device trusts, for a name or an address that leads here from the internet; vendor: one of a public authority for a random name of the vendor’s that leads into this network, which takes a licence.',
  name: 'The name, or for `public` also the address, by which people open the server; null: only the names of its network. `public` needs one; `vendor` takes none.',
  leads:
    'Whether pages that are opened over plain HTTP lead to HTTPS, once it is served. The API, /ca and this computer itself go on without.',
  addresses: 'Where it opens over HTTPS now, the best first; none: nowhere.',
  hasPlainPort: 'Whether the server is there on port 80, where browsers ask first, and public authorities always.',
  certificate: 'What is served now; null: nothing.',
  names: 'For which names and addresses it is.',
  validUntil: 'When it ends. A new one comes by itself when half of its time is over.',
  root: 'The root that devices are to trust; null: there is none yet.',
  fingerprint: 'Its SHA-256, in hexadecimal pairs, to compare on the device.',
  thumbprint: 'Its SHA-1, as Windows shows it to compare.',
  order: 'What became of the last order of a public certificate; null: none was made.',
  at: 'When that was.',
  result: 'ok; failed: the certificate before goes on, if there is one.',
  reason:
    'Why it failed: no_name; name_is_local, for which no public authority vouches; name_leads_nowhere; unreachable: the authority did not answer; not_reached: it did not get through to this server; other_answers: something else than this server answers there; name_refused; too_often: it takes no more orders for a while; authority: anything else; or as `vendorName.failure` says; null: it did not.',
  detail: 'What was seen, in English, for whoever looks after the server; it may be empty.',
  nextOrderAt: 'When the next is tried; null: none is.',
  vendorName: 'The name of the vendor’s zone, where that was chosen; null: it was not.',
  isOrdering: 'Whether one is being ordered now, or the vendor is being asked for the name.',
}

const ServerHttps = named(
  'ServerHttps',
  v.object({
    isFixed: v.boolean(),
    way: v.picklist(HTTPS_WAYS),
    name: orNull(v.string()),
    leads: v.boolean(),
    addresses: list(v.string()),
    hasPlainPort: v.boolean(),
    certificate: orNull(named('ServedCertificate', v.object({ names: list(v.string()), validUntil: ts }), words)),
    root: orNull(
      named('LocalRoot', v.object({ fingerprint: v.string(), thumbprint: v.string(), validUntil: ts }), words),
    ),
    order: orNull(
      named(
        'CertificateOrder',
        v.object({
          at: ts,
          result: v.picklist(['ok', 'failed']),
          reason: orNull(v.picklist(HTTPS_REASONS)),
          detail: v.string(),
        }),
        words,
      ),
    ),
    vendorName: orNull(
      named(
        'VendorName',
        v.object({
          name: orNull(v.string()),
          leads: orNull(v.picklist(NAME_LEADS)),
          askedAt: orNull(ts),
          failure: orNull(
            named('VendorNameFailure', v.object({ at: ts, reason: v.picklist(HTTPS_REASONS), detail: v.string() }), {
              at: 'When that was.',
              reason:
                'Why: no_license; no_lan_address: this machine has no address of a private network, as in a container; vendor_unreachable; vendor_has_none: the vendor gives no names; not_known_yet: the first heartbeat of the licence has not arrived; license_refused, license_locked, license_ended; too_many_names: as many servers as the licence is for have their names, and asked for them within two days; clock_wrong; vendor_failed: anything else.',
              detail: 'What was seen, in English, for whoever looks after the server; it may be empty.',
            }),
          ),
        }),
        {
          name: 'Its name; null: the vendor has given none yet.',
          leads:
            'Where the name leads, as this server sees it: here; elsewhere; nowhere: many routers hide such names, and without the internet none leads anywhere; null: it is not known yet.',
          askedAt: 'When the vendor last gave it; it is asked every day. null: never.',
          failure:
            'Why the vendor did not give it the last time; null: it did. The certificate is good until its end in any case.',
        },
      ),
    ),
    nextOrderAt: orNull(ts),
    isOrdering: v.boolean(),
  }),
  words,
)

const LABELS = /^(?=.{1,253}$)(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

const hostName = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(253),
  v.check((name) => isIP(name) !== 0 || LABELS.test(name), 'must be a name such as school.example.org, or an address'),
)

const Chosen = named(
  'ServerHttpsChoice',
  v.object({ way: v.picklist(HTTPS_WAYS), name: v.nullable(hostName), leads: v.boolean() }),
  words,
)

const shown = (https: Https): v.InferOutput<typeof ServerHttps> => {
  const { choice, order, nextOrderAt, vendorName } = https.state()
  const { certificate } = https
  const root = https.root()
  return {
    isFixed: !https.isOpen,
    ...choice,
    addresses: https.addresses(),
    hasPlainPort: https.hasPlainPort,
    certificate: certificate ? { names: [...https.names], validUntil: certificate.validToDate.toISOString() } : null,
    root: root
      ? { fingerprint: root.fingerprint256, thumbprint: asWindows(root), validUntil: root.validToDate.toISOString() }
      : null,
    order,
    vendorName:
      choice.way === 'vendor'
        ? {
            name: vendorName.name,
            leads: https.vendorNameLeads,
            askedAt: vendorName.askedAt,
            failure: vendorName.failure,
          }
        : null,
    nextOrderAt: isByPublic(choice) ? nextOrderAt : null,
    isOrdering: https.isOrdering,
  }
}

/** HTTPS of a self-hosted server, for its owner. */
export const httpsEndpoints = (https: Https, isCloud: boolean): readonly Endpoint[] => {
  const closed = isCloud ? NotFound : undefined
  const common = { access: 'owner', reply: ServerHttps, fails: [NotFound] } as const
  return [
    read({
      ...common,
      closed,
      id: 'server.read-https',
      path: '/server/https',
      summary: 'How the server is reached over HTTPS',
      description: 'In cloud mode 404.',
      handle: async () => shown(https),
    }),
    change({
      ...common,
      closed: https.isOpen ? closed : NotFound,
      id: 'server.choose-https',
      method: 'PUT',
      path: '/server/https',
      summary: 'Choose how the server is reached over HTTPS',
      description:
        'It holds at once, without a restart: on port 443, or 8443 where that is taken. A public certificate is ordered meanwhile: ask GET /server/https until `isOrdering` is false; `order` says what became of it. Plain HTTP goes on in any case, and `institute https off` on the server undoes it. A backup holds neither the choice nor any key. In cloud mode, and where `isFixed`, 404.',
      body: Chosen,
      prepare: ({ body }) => https.choose(body),
      handle: async ({ tx, body }) => {
        tx.audit({ entityType: 'program', entityId: null, metadata: { ...body } })
        return shown(https)
      },
    }),
    change({
      ...common,
      closed: https.isOpen ? closed : NotFound,
      id: 'server.order-certificate',
      method: 'POST',
      path: '/server/https/order',
      summary: 'Order the public certificate now',
      description:
        'Begins it, unless one is being ordered, and answers at once: ask GET /server/https until `isOrdering` is false. Where another way is chosen it does nothing. In cloud mode, and where `isFixed`, 404.',
      limits: [{ per: 'caller', requests: 5, seconds: 3600 }],
      status: 202,
      prepare: async () => {
        if (isByPublic(https.state().choice)) void https.order()
      },
      handle: async ({ tx }) => {
        tx.audit({ entityType: 'program', entityId: null })
        return shown(https)
      },
    }),
  ]
}
