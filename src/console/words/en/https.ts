import { isolate } from '../../../shared/isolate.ts'

/** Whether the connection to the server is encrypted. */
export const https = {
  title: 'A private connection (HTTPS)',
  change: 'Choose',
  off: 'The connection is not encrypted: others in the same network can read along, passwords too.',
  missing:
    'What does not work without it: notifications on phones, passkeys, and the program as an app of its own on the home screen.',
  fixed: 'The certificate comes from the settings of the server (INSTITUTE_TLS_CERT). There is nothing to choose here.',
  opens: 'Opens at',
  until: (day: string) => `The certificate is good until ${isolate(day)}. A new one comes by itself long before.`,
  leadsOn: 'Who opens the program without https is led here.',
  leadsOff: 'Without https it opens too, as before.',
  noPort:
    'There is no free port for it on this computer (443 or 8443). End the program that has it, or ask whoever looks after the server.',
  devices: 'On each device, once',
  devicesText:
    'Open this page on it and follow the steps. Until then its browser warns, and without https all goes on as before.',
  openPage: 'Open the page',
  fingerprint: 'Fingerprint, to compare on the device (SHA-256)',
  thumbprint: 'Windows shows a shorter one (Thumbprint)',
  ordering: 'The certificate is being ordered. That takes up to a minute.',
  failed: (moment: string) => `No certificate came (${isolate(moment)}).`,
  again: (moment: string) => `The next try is ${isolate(moment)}.`,
  goesOn: 'The one before goes on until then.',
  now: 'Try now',
  noPort80:
    'This computer does not answer on port 80, where the authority asks. Let the router pass port 80 on to it, and end a program that has the port.',
  way: 'How',
  ways: { off: 'Without', local: 'In our network', vendor: 'By the vendor', public: 'On the internet' },
  wayText: {
    off: 'Plain http alone. Nothing to set up; others in the same network can read along, and phones get no notifications.',
    local:
      'This server gives out its own certificate, for this network alone. It costs nothing and needs no internet. Each computer and phone has to take it once, in a minute or two, by the steps of a page; the page then says whether it worked.',
    vendor:
      'The vendor of this program gives the server a name that leads into your network, and Let’s Encrypt a certificate for it: every computer and phone knows it, nothing has to be installed. It takes a licence, and the internet every day: without it the name is not found, and the program opens as before at its old address. The name is made of random letters; it stands in a public list, which says nothing of you. Some routers hide such names.',
    public:
      'A certificate of Let’s Encrypt, which every device knows: nothing has to be installed. It costs nothing, but needs a name of your own on the internet (a few dollars a year) that leads here, and a router that passes ports 80 and 443 on to this computer. The server can then be reached from everywhere, and the name stands in a public list.',
  },
  terms: 'With this you accept the terms of Let’s Encrypt (letsencrypt.org).',
  name: 'The name, as people type it',
  nameHint: {
    local: 'Only if your network has a name of its own for this computer, beside the one that ends in .local.',
    public: 'Such as school.example.org. A fixed address of the internet works too.',
  },
  newRoot: 'With another name the server makes a new certificate, which each device has to take anew.',
  leads: 'Lead whoever opens it without https to the private connection',
  leadsHint: {
    local: 'Only when all devices have taken the certificate: the others get a warning otherwise.',
    vendor: 'Every device can follow. It is done only while the name is found in this network.',
    public: 'Every device can follow.',
  },
  undo: 'If it does not work: on this computer itself it always opens as before, and “institute https off” there turns it off.',
  saved: 'It holds from now on.',
  needsName: 'Type the name that leads to this server.',
  wrongName: 'A name such as school.example.org, without https://.',
  vendorFailed: (moment: string) => `The vendor gave the server no name (${isolate(moment)}).`,
  vendorGoesOn: 'The certificate is good until its end, and until then all goes on as before.',
  hidden: {
    nowhere:
      'The name is not found in this network: the internet is not there, or the router hides names that lead into its own network. Allow the name below in the settings of the router, where it says “DNS rebind protection”. If that is not there, choose “In our network”.',
    elsewhere:
      'The name still leads to another address. That takes up to some minutes after the address of this computer has changed.',
  },
  tried: 'Does it work on each device?',
  triedText:
    'Open this page on a phone or a computer and tap “Check now”: it says whether the new address opens there.',
  reasons: {
    no_name: 'There is no name yet.',
    name_is_local:
      'It is a name or an address of a private network. For those no public authority vouches: choose “In our network”.',
    name_leads_nowhere:
      'The name leads nowhere yet. Set it where you bought it, to the address that your line has on the internet; that takes up to a day to hold everywhere.',
    unreachable: 'The authority could not be reached. Is the internet there?',
    not_reached: 'The authority did not get through to this computer. The router has to pass port 80 on to it.',
    other_answers: 'Something else answers under this name: mostly the router itself, or another computer.',
    name_refused: 'The authority gives no certificate for this name.',
    too_often: 'It was tried too often. The authority takes no more orders for a while.',
    no_license: 'There is no licence yet. Enter it under “Plan and licence” first.',
    no_lan_address: 'This server does not know its address in your network, as when it runs in a container.',
    vendor_unreachable: 'The vendor could not be reached. Is the internet there?',
    vendor_has_none: 'The vendor gives no names. Choose another way, or ask the vendor.',
    not_known_yet: 'The vendor does not know this server yet. That takes some hours after the licence was entered.',
    license_refused: 'The vendor does not accept the licence, or not from this server. Ask the vendor.',
    license_locked: 'The licence is locked. Ask the vendor.',
    license_ended: 'The licence has ended. The vendor renews it.',
    too_many_names:
      'As many servers as the licence is for have their names. A server that was turned off gives up its place after two days.',
    clock_wrong: 'The clock of this computer is wrong by more than a day. Set it right.',
    vendor_failed: 'The vendor’s server did not answer as it should. It is tried again by itself.',
    authority: 'The authority gave none.',
  },
}
