/** English texts. `backticks` mark code, which is shown left to right; {names} are placeholders. */
export default {
  'setup.title': 'Server setup',
  'setup.steps': 'Steps of the setup',
  'setup.count': 'Step {n} of {total}',
  'setup.next': 'Continue',
  'setup.back': 'Back',

  'languages.label': 'Language',

  'language.step': 'Language',
  'language.title': 'Welcome',
  'language.lead':
    'This sets up your institute’s own server: a few short steps that take some minutes. Nothing is created until you confirm at the end.',
  'language.legend': 'Which language do you prefer for the setup?',
  'language.hint': 'You can switch at any time. What you have typed stays.',
  'token.label': 'Setup code',
  'token.hint':
    'It stands at the end of the address that the server printed when it first started; on the server, `institute setup-token` prints it again. You may also paste the whole address.',
  'token.missing': 'Please enter the setup code.',
  'token.wrong':
    'The server does not accept this setup code. On the server, `institute setup-token` prints the right one.',
  'token.checking': 'Checking…',

  'institute.step': 'Institute',
  'institute.title': 'Your institute',
  'institute.lead': 'What it is called and where it is. Everything here but the short name can be changed later.',
  'institute.name': 'Name of the institute',
  'institute.name.hint': 'As it should stand on invoices and in messages.',
  'institute.name.missing': 'Please enter the name of the institute.',
  'institute.name.wrong': 'A name is one line of up to 200 characters, and not the address of a page.',
  'institute.slug': 'Short name in Latin letters',
  'institute.slug.hint':
    'Names the institute in commands and exports, for example `al-noor`. We suggest one from the name. It cannot be changed later.',
  'institute.slug.missing': 'Please enter a short name.',
  'institute.slug.wrong':
    'Small letters a to z, digits, and hyphens between them only; up to 63 characters. For example `al-noor`.',
  'institute.slug.taken': 'This short name is already in use here. Please choose another.',
  'institute.locale': 'Usual language',
  'institute.locale.hint': 'For messages to students, families and staff who have not chosen another.',
  'institute.locale.wrong': 'Please choose a language.',
  'institute.timezone': 'Time zone',
  'institute.timezone.hint': 'Type the name of a large city and choose from the list.',
  'institute.timezone.now': 'The time there is now {time}.',
  'institute.timezone.wrong': 'Please choose a time zone from the list.',
  'institute.timezone.none': 'No match. Try the nearest large city.',
  'institute.timezone.matches': 'Matches: {count}',
  'institute.currency': 'Currency',
  'institute.currency.hint': 'For fees and invoices. It stays fixed once the first invoice exists.',
  'institute.currency.wrong': 'Please choose a currency.',
  'institute.currency.ils': 'Israeli new shekel (ILS)',
  'institute.currency.usd': 'US dollar (USD)',
  'institute.currency.eur': 'Euro (EUR)',

  'owner.step': 'Owner',
  'owner.title': 'The owner’s account',
  'owner.lead':
    'The owner may do everything: invite staff, hand out roles, change settings. It should belong to one person.',
  'owner.firstName': 'First name',
  'owner.firstName.missing': 'Please enter the first name.',
  'owner.lastName': 'Last name',
  'owner.lastName.missing': 'Please enter the last name.',
  'owner.name.wrong': 'A name is one line of up to 100 characters, and not the address of a page.',
  'owner.email': 'Email',
  'owner.email.hint': 'For signing in, and for the link if the password is ever forgotten.',
  'owner.email.missing': 'Please enter an email address.',
  'owner.email.wrong':
    'This does not look like an email address. It is made of Latin letters, digits and signs, like `name@example.org`.',
  'owner.password': 'Password',
  'owner.password.missing': 'Please choose a password.',
  'owner.password.wrong': 'The password needs at least 10 characters.',

  'password.advice':
    'At least 10 characters. Length counts most: three or four words that have nothing to do with each other are easy to remember and hard to guess. Capitals and symbols are welcome, not required. Choose one that you use nowhere else.',
  'password.show': 'Show',
  'password.hide': 'Hide',
  'password.showLabel': 'Show the password',
  'password.hideLabel': 'Hide the password',
  'password.short': '{length} of at least 10 characters.',
  'password.common':
    'This password, or one much like it, is among the first that are guessed. Please choose another one.',
  'password.repetitive': 'A simple sequence or repetition is guessed quickly. Please choose another password.',
  'password.related':
    'It is made of a name or an address of yours or of the institute, which is guessed quickly. Please choose another password.',
  'password.fair': 'Long enough. A few more characters make it much safer.',
  'password.good': 'Nicely long. That is what protects best.',

  'address.step': 'Address',
  'address.title': 'The address staff will use',
  'address.lead':
    'Staff reach this server by this address, and the links in its mails begin with it. It can be changed later.',
  'address.url': 'Address of this server',
  'address.url.hint': 'We suggest the address by which you opened this page.',
  'address.url.hintNetwork': 'We suggest the address that this server has in your network.',
  'address.url.missing': 'Please enter the address of this server.',
  'address.url.wrong':
    'This is not a web address. It should be like `http://192.168.1.20:8080` or `https://office.example.org`.',
  'address.url.path':
    'The server’s pages lie at the root of an address, so nothing may follow the host. Please leave out what follows it, or give the server a name of its own, such as `https://office.example.org`.',
  'address.offers': 'Addresses that this server has in its network:',
  'address.loopback':
    '`localhost` and `127.0.0.1` mean “this very computer”. No other computer can reach the server by this address, and links in mails will not open elsewhere.',
  'address.plainHttp':
    'An address with `http://` is not encrypted. Inside your own network that is usual; over the internet please use `https://`.',
  'address.help': 'Which address is the right one?',
  'address.help.lan':
    'Everyone works in the same building: the computers share one local network, that is, the same router or Wi-Fi. There the server has a number, and its address looks like `http://192.168.1.20:8080`. Whoever looks after the network can tell you the number and should keep it fixed.',
  'address.help.internet':
    'Some work from elsewhere: the server needs a name on the internet and encryption, for example `https://office.example.org`.',
  'address.help.test': 'To be sure, open the address on another computer. This page should appear there too.',
  'mail.step': 'Mail',

  'mail.title': 'Sending mail',
  'mail.lead':
    'By mail the server invites staff and families, and sends a link to whoever forgot the password. For that it needs a mailbox that it may send through.',
  'mail.fixed':
    'The configuration of the server already says how mail is sent: through {server}, from {sender}. It cannot be changed here.',
  'mail.fixedWithout':
    'The configuration of the server names a sender and no mail server. It cannot be changed here: `INSTITUTE_SMTP_URL` has to be set there.',
  'mail.given': 'Mail already goes out through {server}, from {sender}. Choose nothing here to keep it so.',
  'mail.provider': 'Whose mailbox is it?',
  'mail.provider.hint': 'Choose who provides the email address that mails should come from.',
  'mail.provider.later': 'None for now',
  'mail.provider.gmail': 'Gmail or Google Workspace',
  'mail.provider.microsoft': 'Microsoft 365 (Outlook)',
  'mail.provider.yahoo': 'Yahoo',
  'mail.provider.zoho': 'Zoho',
  'mail.provider.own': 'Another, or our own server',
  'mail.place': 'Mails go out through {server}.',
  'mail.later':
    'Without a mailbox nobody can be invited, and nobody who forgot a password gets back in by themselves. You can add one later in the institute itself: Settings, Mail.',
  'mail.host': 'Mail server',
  'mail.host.hint': 'For example `smtp.example.org`. Your provider can tell you its name, encryption and port.',
  'mail.host.missing': 'Please enter the name of the mail server.',
  'mail.host.wrong': 'This is not the name of a server. It should be like `smtp.example.org`.',
  'mail.encryption': 'Encryption',
  'mail.encryption.starttls': 'STARTTLS (587)',
  'mail.encryption.tls': 'SSL/TLS (465)',
  'mail.port': 'Port',
  'mail.port.wrong': 'Please enter a port, a number from 1 to 65535.',
  'mail.user': 'User name',
  'mail.user.hint': 'Nearly always the whole email address.',
  'mail.password': 'Password of the mailbox',
  'mail.password.gmail':
    'Google wants an app password here, 16 letters, and not the password of the account. In the Google account, turn on 2-Step Verification, then make one at `myaccount.google.com/apppasswords`.',
  'mail.password.microsoft':
    'The password of the mailbox. The administrator of your Microsoft 365 has to allow “Authenticated SMTP” for this mailbox first. A personal address at outlook.com or hotmail.com cannot be used.',
  'mail.password.yahoo':
    'Yahoo wants an app password here, and not the password of the account. Make one in the account, under Security.',
  'mail.password.zoho':
    'The password of the account; with two-factor sign-in an app-specific password, which Zoho makes under Security. If Zoho names another server to you, choose “Another”.',
  'mail.sender': 'Sender’s address',
  'mail.sender.hint': 'Mails come from this address, in the name of the institute.',
  'mail.sender.missing': 'Please enter the address that mails come from.',
  'mail.test': 'Send me a test mail',
  'mail.test.sending': 'Sending…',
  'mail.test.sent':
    'The mail server took the test mail for {email}. Please look whether it arrives, also among unwanted mail. The server’s answer:',
  'mail.test.unused':
    'The mail server took the test mail for {email} without a sign-in: the user name and the password were not used, and may be wrong. Please look whether the mail arrives, also among unwanted mail. The server’s answer:',
  'mail.fault.unknownHost': 'There is no server of this name. Please check the name of the mail server.',
  'mail.fault.unreachable': 'Nothing answers there. Please check the mail server and the port.',
  'mail.fault.timeout': 'The mail server takes too long to answer. Please check the port and the encryption.',
  'mail.fault.encryption': 'No encrypted connection comes about. Please check the port and the encryption.',
  'mail.fault.signIn': 'The mail server does not accept the user name or the password.',
  'mail.fault.refused': 'The mail server refuses this mail. Please check the sender’s address and yours.',
  'mail.fault.other': 'The test mail was not sent.',

  'review.step': 'Review',
  'review.title': 'Check and create',
  'review.lead': 'Please look it over once more. Nothing has been created yet.',
  'review.change': 'Change',
  'review.changeInstitute': 'Change the institute’s details',
  'review.changeOwner': 'Change the owner’s account',
  'review.changeAddress': 'Change the address',
  'review.changeMail': 'Change the mail server',
  'review.mail': 'Mail',
  'review.mail.none': 'None for now: nobody can be invited until there is one.',
  'review.mail.given': 'As the server is configured.',
  'review.mail.server': 'Through {server}, from {sender}',
  'review.passwordChosen': 'Chosen, not shown here',
  'review.ownerName': 'Name',
  'review.create': 'Create the institute',
  'review.creating': 'Creating…',

  'done.title': 'Your institute is ready',
  'done.lead': '{name} is set up, and you are signed in as {email}.',
  'done.leadPlain': 'The setup is complete. This is what you can do now.',
  'done.open': 'Open the institute',
  'done.next': 'What to do next',
  'done.mail': 'Mail',
  'done.mail.none': 'Not set up yet',
  'done.mail.server': 'Set up: through {server}, from {sender}',
  'done.mail.how':
    'Without it nobody can be invited, and nobody who forgot a password gets back in by themselves: mails stay on the server as files. Add the mailbox in the institute: Settings, Mail. Or with this command on the server, which tries it and keeps it; then the server has to be started again:',
  'done.mail.try':
    'A test mail is sent in the institute: Settings, Mail. Or with this command on the server; put an address in place of `ADDRESS`:',
  'done.backup': 'Backups every night',
  'done.backup.nightly': 'The server makes them by itself',
  'done.backup.yours': 'For you to set up',
  'done.backup.place': 'Every night everything is packed into one file in this folder on the server:',
  'done.backup.off':
    'Nightly backups are switched off in the settings of this server (`INSTITUTE_BACKUP_KEEP`). Backups made by hand go into this folder:',
  'done.backup.somewhere':
    'Every night everything is packed into one file in the folder `backups` inside the data folder.',
  'done.backup.keep':
    'Have these files copied to another place as well, to a disk outside the building for instance, so that they are not lost together with the server. Keep them locked away: whoever has one has all records of the institute.',
  'done.backup.postgres':
    'The database is Postgres, which is backed up by its own means: have `pg_dump` run every night, and copy the data folder along with it, since it holds the keys and the files. Keep both outside the building and locked away.',
  'done.backup.byHand': 'Make or bring back a backup by hand',
  'done.backup.now': 'A backup at once, from a terminal on the server:',
  'done.backup.sudo': 'If the answer is that this is not permitted, type `sudo` and a space before the command.',
  'done.backup.restore':
    'To bring one back, after a loss or on a new computer: stop the server, type this with the name of the file in place of `FILE`, and start the server again. The file is checked first, and what was there before is kept.',
  'done.staff': 'Invite staff',
  'done.staff.none': 'Nobody is invited yet',
  'done.staff.some': 'Invited or here already: {count}',
  'done.staff.how':
    'You invite staff in the app of your institute. Each gets a mail with a link, chooses a password and sees what the role allows.',
  'done.data': 'Where the data lives',
  'done.data.text':
    'In one folder on the server: database, files, keys and backups. Nobody but the server should have access to it.',
  'done.programs': 'For programmers: the API, a first key, the reference',
  'done.api': 'Address of the API',
  'done.api.text': 'The institute’s apps and programs talk to the server here.',
  'done.key': 'A first API key',
  'done.key.text':
    'With a key a program can work for the institute without anyone’s password. You can withdraw a key at any time.',
  'done.key.name': 'What is the key for?',
  'done.key.name.example': 'First key',
  'done.key.name.missing': 'Please give the key a name.',
  'done.key.name.wrong': 'The name can be up to 100 characters long.',
  'done.key.scope': 'What may it do?',
  'done.key.read': 'Read only',
  'done.key.read.hint': 'It can see the institute’s data and change nothing.',
  'done.key.full': 'Everything the owner may do',
  'done.key.full.hint': 'Only for programs that you trust fully.',
  'done.key.create': 'Create the key',
  'done.key.creating': 'Creating the key…',
  'done.key.once': 'Please copy the key now and keep it in a safe place. It is shown only this once.',
  'done.key.value': 'Your new API key',
  'done.try': 'A first request',
  'done.try.text': 'In a terminal, on a computer that reaches the server. The answer is the list of branches.',
  'done.try.key': 'Put your key in place of `YOUR_KEY`, or create one above.',
  'done.docs': 'The reference',
  'done.docs.text': 'Describes every endpoint of the API. It is on this server and needs no internet.',
  'done.docs.open': 'Open the reference',
  'done.sessionEnded':
    'Your sign-in on this page has ended. The key can still be created through the API once you sign in there; the reference shows how.',
  'signedOut.title': 'You are signed out',
  'signedOut.text': 'The institute goes on working. You can close this page now.',

  'copy.label': 'Copy',
  'copy.done': 'Copied',
  'copy.api': 'Copy the address of the API',
  'copy.key': 'Copy the API key',
  'copy.request': 'Copy the example request',
  'copy.folder': 'Copy the folder',
  'copy.command': 'Copy the command',

  'already.title': 'This server is already set up',
  'already.text': 'The setup runs only once, and an institute already exists here. Nothing was changed.',
  'already.next':
    'If you are the owner, sign in with your email and password in the app that your institute uses. The server answers programs at this address:',
  'cloud.title': 'No setup is needed here',
  'cloud.text': 'This server runs in cloud mode. Institutes are opened by the administrators of the platform.',

  'unreachable.title': 'The server does not answer',
  'unreachable.text': 'Please check that it is running, and that this device is connected to the network.',

  'field.refused': 'The server does not accept this. Please change it.',

  'problem.unreachable':
    'The server cannot be reached. Please check that it is running and that this device is connected. What you typed is still here.',
  'problem.server':
    'Something went wrong on the server. Please try again; if it happens again, the server’s log says more. What you typed is still here.',
  'problem.inFront.large':
    'A proxy in front of the server refuses what is as large as this. Whoever looks after it has to let 20 MB through (nginx: `client_max_body_size 20m`).',
  'problem.inFront.alone':
    'A proxy in front of the server answers, but the server behind it does not. Please try again in a minute; if it stays so, see whether the server runs. What you typed is still here.',
  'problem.inFront.slow':
    'A proxy in front of the server did not wait for its answer. Whoever looks after it has to let it wait longer (nginx: `proxy_read_timeout 120s`). What you typed is still here.',
  'problem.inFront.page':
    'Something else answered in place of the server: a proxy, a firewall, or a network in which one signs in first. Please open this page in another tab to see it. What you typed is still here.',
  'problem.wait': 'That was too often in a short time. Please wait {wait} and try again.',
  'problem.waitMoment': 'That was too often in a short time. Please wait a moment and try again.',
  'problem.refused': 'The server refused this, and we cannot tell which of the entries it was.',
  'problem.retry': 'Try again',
  'problem.details': 'Technical details',

  'page.signIn': 'Go on to sign in',

  'signIn.signOut': 'Sign out',
}
