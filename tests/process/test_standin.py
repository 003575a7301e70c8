# SPDX-License-Identifier: Apache-2.0
"""The stand-ins (docs/stand-ins.md) in instances of the controller on this machine, by the template that clusters use, too."""
import glob
import os
import shutil
import ssl

import pytest

import standins
from certificates import authority, certificate
from folder_case import FolderCase
from local_controller import Controller, templates
from names import assert_names
from paths import BUILD, GEOID_DATA

GEOID99 = glob.glob(os.path.join(GEOID_DATA, 'navd88_geoid99', '*u06.tif'))
MISSION = ['--side', '40']


class Standins(FolderCase):
    def setUp(self):
        super().setUp()
        with open(standins.TEMPLATE, encoding='utf-8') as file:
            self.template = file.read()
        authority(self.folder)
        path = os.environ['PATH']
        self.addCleanup(os.environ.__setitem__, 'PATH', path)
        os.environ['PATH'] = BUILD + os.pathsep + path
        self.controller = self.serve(self.template)

    def serve(self, template):
        return self.enterContext(Controller('--templates', self.enterContext(templates(standin=template)), '--ca-certificate', self.path('factory.crt'),
                                            '--ca-key', self.path('factory.key')))

    def cloud(self, volumes=None):
        cloud = standins.Cloud(self.folder, volumes)
        self.addCleanup(cloud.stop)
        return cloud

    def fly(self, **values):
        """The instance at its end."""
        values = {'clock': 'fast', 'mission': MISSION, **values}
        one, = self.controller.start(wait=False, template='standin', values=values)
        return self.controller.wait_until(one, 'ended')

    @pytest.mark.long
    def test_sim005_the_cloud_service_hears_of_the_flight_by_the_certificate(self):
        cloud = self.cloud()
        ended = self.fly(cloud=cloud.url)
        self.assertEqual(ended['outcome'], 'completed', self.controller.logs(ended))
        known = cloud.instances()[ended['id']]
        self.assertEqual(known['state'], 'conforming')
        self.assertGreater(known['reports'], 10)
        self.assertGreater(known['alt_wgs84_max_m'] - known['alt_wgs84_min_m'], 9.0)

    @pytest.mark.long
    def test_sim005_without_a_certificate_nothing_is_said_and_nothing_flies(self):
        cloud = self.cloud()
        authority(self.folder, 'other')
        certificate(self.folder, 'other', 'stranger')
        for own in (None, 'stranger'):
            context = ssl.create_default_context(cafile=self.path('factory.crt'))
            if own:
                context.load_cert_chain(self.path(own + '.crt'), self.path(own + '.key'))
            with self.assertRaises(OSError):
                standins.ask_cloud(cloud.url, context)
        os.mkdir(self.path('strange'))
        for name, to in (('stranger.crt', 'tls.crt'), ('stranger.key', 'tls.key'), ('factory.crt', 'ca.crt')):
            shutil.copy(self.path(name), self.path('strange', to))
        ended = self.fly(cloud=cloud.url, mission=[*MISSION, '--certificates', self.path('strange')])
        self.assertEqual(ended['outcome'], 'onboard_failed')
        assert_names(self.controller.logs(ended), 'report')
        self.assertEqual(cloud.instances(), {})

    @pytest.mark.long
    def test_sim004_the_weather_answers_before_the_onboard_software_begins(self):
        ended = self.fly(weather=['--after', '1.5'])
        self.assertEqual(ended['outcome'], 'completed', self.controller.logs(ended))

    def test_onboard_software_that_must_not_fly_fails(self):
        ended = self.fly(weather=['--wind', '12'])
        self.assertEqual(ended['outcome'], 'onboard_failed')
        assert_names(ended['reason'], '1')
        assert_names(self.controller.logs(ended), 'wind 12 m/s 10')

    @pytest.mark.long
    def test_sim041_an_ensemble_on_two_geoids_conforms_above_wgs84_and_a_wrong_one_does_not(self):
        cloud = self.cloud(standins.ENSEMBLE_VOLUMES)
        standins.pack_navd88(self.folder, *GEOID99[:1])

        def fly(geoid, plan, home):
            model = geoid if geoid == 'egm96' else f'{geoid}:{self.path(geoid)}.mfpk'
            ended = self.fly(cloud=cloud.url, geoid=model, mission=['--plan', self.path(plan)], home=home)
            self.assertEqual(ended['outcome'], 'completed', self.controller.logs(ended))
            return ended

        states = standins.ensemble(self.folder, fly, cloud.instances)
        self.assertEqual({name: s['state'] for name, s in states.items()}, standins.CONFORMITY, states)
        self.assertAlmostEqual(states['egm96']['alt_wgs84_max_m'], states['navd88']['alt_wgs84_max_m'], delta=0.01)

    def test_sim041_a_template_states_the_geoid_of_planning(self):
        controller = self.serve(self.template + f'geoid: "{"ab" * 32}"\n')
        one, = controller.start(wait=False, template='standin')
        ended = controller.wait_until(one, 'ended')
        self.assertEqual(ended['outcome'], 'geoid_mismatch', ended)

    @pytest.mark.long
    def test_sim038_forty_minutes_of_missions_on_the_event_clock(self):
        cloud = self.cloud()
        flown, wall, milestones = standins.forty_minutes(
            lambda **body: self.controller.start(wait=False, **body), lambda one: self.controller.wait_until(one, 'ended'), self.controller.logs, cloud.url)
        known = cloud.instances()
        self.assertEqual(len(known), 4)
        self.assertGreater(min(k['reports'] for k in known.values()), 5)
        print(f'{flown / 60:.1f} minutes of missions in {wall:.1f} s, {milestones} milestones, none missed')
